#include "api/grpc/workflow/struct_size.hpp"

#include <bit>

#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

// On the wire a field is its tag, one byte for the numbers of fields here, and its value: of fixed
// size, or its length and so many bytes.
constexpr std::size_t kTag = 1;
constexpr std::size_t kNullOrBoolean = kTag + 1;
constexpr std::size_t kDouble = kTag + 8;

std::size_t varint_bytes(std::size_t number) {
    return (static_cast<std::size_t>(std::bit_width(number | 1)) + 6) / 7;
}

std::size_t field_bytes(std::size_t length) {
    return kTag + varint_bytes(length) + length;
}

bool is_of_number(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Walks over a text. After the first thing that is not as expected it has failed, and what it says
// means nothing.
class StructSizer {
public:
    explicit StructSizer(std::string_view text) : left_(text) {}

    std::size_t whole() {
        skip_space();
        expect('{');
        const std::size_t bytes = object(1);
        skip_space();
        return has_failed_ || !left_.empty() ? kCannotBeSent : bytes;
    }

private:
    // A google.protobuf.Value, without its own tag and length.
    std::size_t value(std::size_t depth) {
        skip_space();
        switch (left_.empty() ? '\0' : left_.front()) {
            case '{': left_.remove_prefix(1); return field_bytes(object(depth + 1));
            case '[': left_.remove_prefix(1); return field_bytes(array(depth + 1));
            case '"': return field_bytes(string());
            case 'n': return literal("null");
            case 't': return literal("true");
            case 'f': return literal("false");
            default: return number();
        }
    }

    // A Struct is a list of entries, each with the fields `key` and `value`.
    std::size_t object(std::size_t depth) {
        std::size_t bytes = 0;
        if (!begins(depth, '}')) return bytes;
        do {
            skip_space();
            const std::size_t key = field_bytes(string());
            skip_space();
            expect(':');
            bytes += field_bytes(key + field_bytes(value(depth)));
        } while (goes_on('}'));
        return bytes;
    }

    std::size_t array(std::size_t depth) {
        std::size_t bytes = 0;
        if (!begins(depth, ']')) return bytes;
        do {
            bytes += field_bytes(value(depth));
        } while (goes_on(']'));
        return bytes;
    }

    // Whether there is a first item.
    bool begins(std::size_t depth, char end) {
        if (depth > limits::kStructDepthMax) has_failed_ = true;
        skip_space();
        return !has_failed_ && !accept(end);
    }

    bool goes_on(char end) {
        skip_space();
        if (has_failed_ || accept(end)) return false;
        expect(',');
        return !has_failed_;
    }

    // The bytes of its characters.
    std::size_t string() {
        expect('"');
        std::size_t bytes = 0;
        while (!has_failed_) {
            std::size_t plain = 0;  // find_first_of() is several times slower.
            while (plain < left_.size() && left_[plain] != '"' && left_[plain] != '\\') ++plain;
            if (plain == left_.size()) break;
            bytes += plain;
            const bool is_end = left_[plain] == '"';
            left_.remove_prefix(plain + 1);
            if (is_end) return bytes;
            bytes += escaped();
        }
        has_failed_ = true;
        return bytes;
    }

    // What is behind a backslash. Of a pair of surrogates, the first counts for both.
    std::size_t escaped() {
        if (!accept('u')) {
            has_failed_ = has_failed_ || left_.empty();
            if (!has_failed_) left_.remove_prefix(1);
            return 1;
        }
        unsigned unit = 0;
        for (int i = 0; i < 4; ++i) unit = unit * 16 + hex_digit();
        if (unit < 0x80) return 1;
        if (unit < 0x800) return 2;
        if (unit >= 0xD800 && unit < 0xDC00) return 4;
        return unit >= 0xDC00 && unit < 0xE000 ? 0 : 3;
    }

    unsigned hex_digit() {
        const char c = left_.empty() ? '\0' : left_.front();
        if (!left_.empty()) left_.remove_prefix(1);
        if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
        if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
        if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
        has_failed_ = true;
        return 0;
    }

    std::size_t literal(std::string_view word) {
        if (!left_.starts_with(word)) has_failed_ = true;
        if (!has_failed_) left_.remove_prefix(word.size());
        return kNullOrBoolean;
    }

    std::size_t number() {
        std::size_t length = 0;
        while (length < left_.size() && is_of_number(left_[length])) ++length;
        if (length == 0) has_failed_ = true;
        left_.remove_prefix(length);
        return kDouble;
    }

    void skip_space() {
        while (!left_.empty() && (left_.front() == ' ' || left_.front() == '\n' ||
                                  left_.front() == '\t' || left_.front() == '\r')) {
            left_.remove_prefix(1);
        }
    }

    bool accept(char c) {
        if (left_.empty() || left_.front() != c) return false;
        left_.remove_prefix(1);
        return true;
    }

    void expect(char c) {
        if (!accept(c)) has_failed_ = true;
    }

    std::string_view left_;
    bool has_failed_ = false;
};

}  // namespace

std::size_t struct_bytes(std::string_view text) {
    return StructSizer(text).whole();
}

}  // namespace millrace::rpc
