#include <simdjson.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/json/reader.hpp"

namespace millrace::json {

namespace {

constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
constexpr std::uint64_t kHighs = 0x8080'8080'8080'8080;

// The high bit of each byte that is `"`, `\` or below 0x20. Bytes from 0x80 on are not marked. A
// mark above the lowest one may be wrong (borrow), so only the lowest one counts.
std::uint64_t marks_of_special_bytes(std::uint64_t bytes) {
    const std::uint64_t quotes = bytes ^ (kOnes * '"');
    const std::uint64_t slashes = bytes ^ (kOnes * '\\');
    const std::uint64_t found = (quotes - kOnes) | (slashes - kOnes) | (bytes - kOnes * 0x20);
    return found & ~bytes & kHighs;
}

bool is_special(char c) {
    return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
}

// The first byte from `at` on that ends a run of plain characters, eight bytes at a time. Sets
// `is_ascii` to false when the run, or a byte shortly behind it, is not ASCII.
const char* end_of_plain_run(const char* at, const char* end, bool& is_ascii) {
    std::uint64_t seen = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (; end - at >= 8; at += 8) {
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, at, 8);
            seen |= bytes;
            const std::uint64_t marks = marks_of_special_bytes(bytes);
            if (marks == 0) continue;
            if ((seen & kHighs) != 0) is_ascii = false;
            return at + std::countr_zero(marks) / 8;
        }
    }
    for (; at != end && !is_special(*at); ++at) seen |= static_cast<unsigned char>(*at);
    if ((seen & kHighs) != 0) is_ascii = false;
    return at;
}

void append_utf8(std::string& out, char32_t point) {
    const auto tail = [point](int shift) {
        return static_cast<char>(0x80 | ((point >> shift) & 0x3F));
    };
    if (point < 0x80) {
        out += static_cast<char>(point);
    } else if (point < 0x800) {
        out += {static_cast<char>(0xC0 | (point >> 6)), tail(0)};
    } else if (point < 0x1'0000) {
        out += {static_cast<char>(0xE0 | (point >> 12)), tail(6), tail(0)};
    } else {
        out += {static_cast<char>(0xF0 | (point >> 18)), tail(12), tail(6), tail(0)};
    }
}

bool is_high_surrogate(char32_t unit) {
    return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low_surrogate(char32_t unit) {
    return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

bool Reader::read_string(std::string& out) {
    const char* start = ++at_;
    bool is_ascii = true;
    for (;;) {
        const char* run_end = end_of_plain_run(at_, end_, is_ascii);
        out.append(at_, run_end);
        at_ = run_end;
        if (at_ == end_) return fail(start - 1, "the string has no end");
        if (*at_ == '"') break;
        if (*at_ != '\\') return fail(at_, "a control character in a string must be escaped");
        if (!read_escape(out)) return false;
    }
    const std::size_t bytes = static_cast<std::size_t>(at_ - start);
    ++at_;
    return is_ascii || simdjson::validate_utf8(start, bytes) ||
           fail(start - 1, "the string is not UTF-8");
}

bool Reader::read_escape(std::string& out) {
    const char* start = at_++;
    if (at_ == end_) return fail(start, "the escape has no end");
    switch (*at_++) {
        case '"': out += '"'; return true;
        case '\\': out += '\\'; return true;
        case '/': out += '/'; return true;
        case 'b': out += '\b'; return true;
        case 'f': out += '\f'; return true;
        case 'n': out += '\n'; return true;
        case 'r': out += '\r'; return true;
        case 't': out += '\t'; return true;
        case 'u': return read_code_point(out) || fail(start, "not a Unicode escape");
        default: return fail(start, "unknown escape");
    }
}

bool Reader::read_code_point(std::string& out) {
    char32_t point = 0;
    if (!read_hex4(point) || is_low_surrogate(point)) return false;
    if (is_high_surrogate(point)) {
        char32_t low = 0;
        if (!std::string_view(at_, end_).starts_with("\\u")) return false;
        at_ += 2;
        if (!read_hex4(low) || !is_low_surrogate(low)) return false;
        point = 0x1'0000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(out, point);
    return true;
}

bool Reader::read_hex4(char32_t& out) {
    if (end_ - at_ < 4) return false;
    for (int digit = 0; digit < 4; ++digit) {
        const char c = *at_++;
        const char lower = static_cast<char>(c | 0x20);
        if (c >= '0' && c <= '9') {
            out = out * 16 + static_cast<char32_t>(c - '0');
        } else if (lower >= 'a' && lower <= 'f') {
            out = out * 16 + static_cast<char32_t>(lower - 'a' + 10);
        } else {
            return false;
        }
    }
    return true;
}

}  // namespace millrace::json
