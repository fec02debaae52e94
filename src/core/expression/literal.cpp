#include "core/expression/literal.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "core/expression/syntax_error.hpp"
#include "core/expression/utf8.hpp"

namespace millrace::expression {
namespace {

bool is_name_character(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// A walk over the characters of one literal.
class Cursor {
public:
    Cursor(std::string_view text, std::size_t position)
        : text_(text), start_(position), next_(position) {}

    char peek(std::size_t ahead = 0) const {
        return next_ + ahead < text_.size() ? text_[next_ + ahead] : '\0';
    }
    bool at_end() const { return next_ >= text_.size(); }
    std::string_view rest() const { return text_.substr(next_); }
    std::string_view spelling() const { return text_.substr(start_, next_ - start_); }
    void skip(std::size_t count = 1) { next_ += count; }
    Error error(std::string_view problem) const { return syntax_error(text_, next_, problem); }
    Error error_at_start(std::string_view problem) const {
        return syntax_error(text_, start_, problem);
    }

    void skip_digits(std::string& digits) {
        while (is_digit(peek()) || peek() == '_') {
            if (peek() != '_') digits += peek();
            skip();
        }
    }

    Token token(TokenKind kind) const {
        return Token{.kind = kind, .spelling = spelling(), .position = start_};
    }

private:
    std::string_view text_;
    std::size_t start_;
    std::size_t next_;
};

int base_of(char letter) {
    switch (letter) {
        case 'x':
        case 'X': return 16;
        case 'o':
        case 'O': return 8;
        case 'b':
        case 'B': return 2;
        default: return 10;
    }
}

Result<Token> integer_token(const Cursor& cursor, const std::string& digits, int base) {
    Token token = cursor.token(TokenKind::integer);
    const char* const end = digits.data() + digits.size();
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::uint64_t value = 0;
    const auto [stop, problem] = std::from_chars(digits.data(), end, value, base);
    if (stop != end || digits.empty()) return cursor.error_at_start("bad number");
    if (problem != std::errc() || value > kMax + 1) {
        return cursor.error_at_start(kIntegerTooLarge);
    }
    token.needs_minus = value > kMax;
    token.integer = static_cast<std::int64_t>(value);  // Of 2^63 it is the smallest integer.
    return token;
}

Result<Token> number_token(const Cursor& cursor, const std::string& digits) {
    Token token = cursor.token(TokenKind::number);
    const char* const end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(digits.data(), end, token.number);
    if (problem != std::errc() || stop != end || !std::isfinite(token.number)) {
        return cursor.error_at_start("the number is too large or too small");
    }
    return token;
}

Result<Token> read_based_integer(Cursor& cursor, int base) {
    cursor.skip(2);
    std::string digits;
    while (is_name_character(cursor.peek())) {
        if (cursor.peek() != '_') digits += cursor.peek();
        cursor.skip();
    }
    return integer_token(cursor, digits, base);
}

// An `e` with digits behind it; without digits it stays, and is then a bad number.
void read_exponent(Cursor& cursor, std::string& digits) {
    const std::size_t sign = cursor.peek(1) == '+' || cursor.peek(1) == '-' ? 1 : 0;
    if (!is_digit(cursor.peek(1 + sign))) return;
    digits += 'e';
    if (cursor.peek(1) == '-') digits += '-';
    cursor.skip(1 + sign);
    cursor.skip_digits(digits);
}

// Escapes that stand for one character. What is not here is an error.
char simple_escape(char letter) {
    switch (letter) {
        case 'a': return '\a';
        case 'b': return '\b';
        case 'f': return '\f';
        case 'n': return '\n';
        case 'r': return '\r';
        case 't': return '\t';
        case 'v': return '\v';
        case '\\':
        case '\'':
        case '"':
        case '`':
        case '?': return letter;
        default: return '\0';
    }
}

std::size_t hex_digits_of(char letter) {
    return letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
}

// The code point of exactly `count` hexadecimal digits, which are skipped.
std::optional<char32_t> read_hex(Cursor& cursor, std::size_t count) {
    const std::string_view digits = cursor.rest().substr(0, count);
    std::uint32_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(digits.data(), end, value, 16);
    if (digits.size() != count || problem != std::errc() || stop != end) return std::nullopt;
    cursor.skip(count);
    return value;
}

// JSON writes characters beyond U+FFFF as two escapes.
std::optional<char32_t> read_code_point(Cursor& cursor, std::size_t count) {
    const auto first = read_hex(cursor, count);
    if (!first || *first < 0xD800 || *first > 0xDBFF || count != 4) return first;
    if (cursor.peek() != '\\' || cursor.peek(1) != 'u') return std::nullopt;
    cursor.skip(2);
    const auto second = read_hex(cursor, 4);
    if (!second || *second < 0xDC00 || *second > 0xDFFF) return std::nullopt;
    return 0x10000 + ((*first - 0xD800) << 10U) + (*second - 0xDC00);
}

// Stands behind the backslash.
Status read_escape(Cursor& cursor, std::string& out) {
    const char letter = cursor.peek();
    if (const char simple = simple_escape(letter); simple != '\0') {
        out += simple;
        cursor.skip();
        return ok();
    }
    const std::size_t count = hex_digits_of(letter);
    if (count == 0) return cursor.error("unknown escape in a string");
    cursor.skip();
    const auto value = read_code_point(cursor, count);
    if (!value || !utf8::is_code_point(*value)) return cursor.error("bad escape in a string");
    utf8::append(out, *value);
    return ok();
}

}  // namespace

Result<Token> read_number(std::string_view text, std::size_t position) {
    Cursor cursor(text, position);
    const int base = cursor.peek() == '0' ? base_of(cursor.peek(1)) : 10;
    if (base != 10) return read_based_integer(cursor, base);

    std::string digits;
    cursor.skip_digits(digits);
    bool is_integer = true;
    // `1..3` is a range.
    if (cursor.peek() == '.' && cursor.peek(1) != '.') {
        is_integer = false;
        digits = digits.empty() ? "0." : digits + '.';
        cursor.skip();
        cursor.skip_digits(digits);
    }
    if (cursor.peek() == 'e' || cursor.peek() == 'E') {
        is_integer = false;
        read_exponent(cursor, digits);
    }
    if (is_name_character(cursor.peek())) return cursor.error_at_start("bad number");
    return is_integer ? integer_token(cursor, digits, 10) : number_token(cursor, digits);
}

Result<Token> read_text(std::string_view text, std::size_t position) {
    Cursor cursor(text, position);
    const char quote = cursor.peek();
    cursor.skip();
    std::string content;
    while (cursor.peek() != quote) {
        if (cursor.at_end()) return cursor.error_at_start("the string does not end");
        if (cursor.peek() == '\\' && quote != '`') {
            cursor.skip();
            const Status escape = read_escape(cursor, content);
            if (!escape) return escape.error();
        } else {
            content += cursor.peek();
            cursor.skip();
        }
    }
    cursor.skip();
    Token token = cursor.token(TokenKind::text);
    token.text = std::move(content);
    return token;
}

}  // namespace millrace::expression
