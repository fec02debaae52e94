#include "base/json/write.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "base/check.hpp"

namespace millrace::json {

namespace {

constexpr double kWholeMax = 9'007'199'254'740'992.0;  // 2^53: up to here doubles count exactly.

// What a byte needs: nothing, an escape, or a look at the two bytes behind it.
enum class Care : unsigned char { none, escape, line_separator };

constexpr std::array<Care, 256> care_of_bytes() {
    std::array<Care, 256> care{};
    for (std::size_t byte = 0; byte < 0x20; ++byte) care[byte] = Care::escape;
    for (const char c : std::string_view("\"\\<>&")) {
        care[static_cast<unsigned char>(c)] = Care::escape;
    }
    care[0xE2] = Care::line_separator;  // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
    return care;
}

constexpr std::array<Care, 256> kCare = care_of_bytes();

Care care_of(char c) {
    return kCare[static_cast<unsigned char>(c)];
}

void append_unicode_escape(std::string& out, char c) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    out += "\\u00";
    out += kHex[byte >> 4];
    out += kHex[byte & 0xF];
}

void append_escape(std::string& out, char c) {
    switch (c) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\b': out += "\\b"; break;
        case '\f': out += "\\f"; break;
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        default: append_unicode_escape(out, c);
    }
}

bool is_line_separator(std::string_view three) {
    return three == "\u2028" || three == "\u2029";
}

// Appends what stands for the special character at the front of `rest`; returns its bytes.
std::size_t append_special(std::string& out, std::string_view rest) {
    if (care_of(rest[0]) == Care::escape) {
        append_escape(out, rest[0]);
        return 1;
    }
    if (!is_line_separator(rest.substr(0, 3))) {
        out += rest[0];
        return 1;
    }
    out += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
    return 3;
}

// Digits without zeros around them; the value is 0.DIGITS times ten to the power of `exponent`.
struct Decimal {
    std::string digits{};
    int exponent = 0;
};

Decimal shortest_decimal(double positive) {
    std::array<char, 32> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), positive,
                                            std::chars_format::scientific);
    MILLRACE_CHECK(error == std::errc{});
    const std::string_view text(buffer.data(), end);
    const std::size_t mark = text.find('e');
    Decimal decimal;
    for (const char c : text.substr(0, mark)) {
        if (c != '.') decimal.digits += c;
    }
    const char* exponent = text.data() + mark + (text[mark + 1] == '+' ? 2 : 1);
    std::from_chars(exponent, end, decimal.exponent);
    decimal.exponent += 1;
    return decimal;
}

void append_with_exponent(std::string& out, const Decimal& decimal) {
    out += decimal.digits[0];
    if (decimal.digits.size() > 1) {
        out += '.';
        out.append(decimal.digits, 1);
    }
    out += 'e';
    if (decimal.exponent > 0) out += '+';
    append_integer(out, decimal.exponent - 1);
}

void append_fixed(std::string& out, const Decimal& decimal) {
    const std::string& digits = decimal.digits;
    if (decimal.exponent <= 0) {
        out += "0.";
        out.append(static_cast<std::size_t>(-decimal.exponent), '0');
        out += digits;
        return;
    }
    const auto whole = static_cast<std::size_t>(decimal.exponent);
    if (digits.size() <= whole) {
        out += digits;
        out.append(whole - digits.size(), '0');
        return;
    }
    out.append(digits, 0, whole);
    out += '.';
    out.append(digits, whole);
}

void append_array(std::string& out, const Array& items) {
    char before = '[';
    for (const Value& item : items) {
        out += before;
        append(out, item);
        before = ',';
    }
    out += items.empty() ? "[]" : "]";
}

void append_object(std::string& out, const Object& members) {
    char before = '{';
    for (const Member& member : members) {
        out += before;
        append_string(out, member.key);
        out += ':';
        append(out, member.value);
        before = ',';
    }
    out += members.empty() ? "{}" : "}";
}

}  // namespace

std::string write(const Value& value) {
    std::string out;
    append(out, value);
    return out;
}

void append(std::string& out, const Value& value) {
    switch (value.kind()) {
        case Kind::null: out += "null"; break;
        case Kind::boolean: out += *value.if_boolean() ? "true" : "false"; break;
        case Kind::integer: append_integer(out, *value.if_integer()); break;
        case Kind::number: append_number(out, *value.if_number()); break;
        case Kind::string: append_string(out, *value.if_string()); break;
        case Kind::array: append_array(out, *value.if_array()); break;
        case Kind::object: append_object(out, *value.if_object()); break;
    }
}

void append_string(std::string& out, std::string_view text) {
    out += '"';
    std::size_t plain_from = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (care_of(text[at]) == Care::none) {
            ++at;
            continue;
        }
        out += text.substr(plain_from, at - plain_from);
        at += append_special(out, text.substr(at));
        plain_from = at;
    }
    out += text.substr(plain_from);
    out += '"';
}

void append_integer(std::string& out, std::int64_t number) {
    std::array<char, 20> buffer{};
    char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    out.append(buffer.data(), end);
}

void append_number(std::string& out, double number) {
    MILLRACE_CHECK(std::isfinite(number));
    if (std::signbit(number)) out += '-';
    const double positive = std::abs(number);
    if (positive < kWholeMax && std::trunc(positive) == positive) {
        append_integer(out, static_cast<std::int64_t>(positive));
    } else if (positive < 1e-6 || positive >= 1e21) {
        append_with_exponent(out, shortest_decimal(positive));
    } else {
        append_fixed(out, shortest_decimal(positive));
    }
}

}  // namespace millrace::json
