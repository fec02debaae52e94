#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::expression {

enum class TokenKind {
    end,
    integer,
    number,
    text,
    name,         // Of a variable, a function, a map key.
    hashed_name,  // `#name`, without the `#`.
    hash,         // A `#` alone.
    word,         // A name with a meaning of its own: `in`, `not`, `if`, ...
    symbol,       // An operator or bracket; `${` is one.
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view spelling{};  // Of words, symbols and names; lies in the expression's text.
    std::string text{};           // Of a text literal, unescaped.
    std::int64_t integer = 0;
    bool needs_minus = false;  // An integer that fits 64 bits only with a minus before it.
    double number = 0;
    std::size_t position = 0;  // In bytes.

    bool is(std::string_view symbol_or_word) const {
        return (kind == TokenKind::symbol || kind == TokenKind::word) && spelling == symbol_or_word;
    }
};

}  // namespace millrace::expression
