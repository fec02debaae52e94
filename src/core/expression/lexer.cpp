#include "core/expression/lexer.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.hpp"
#include "core/expression/general_category.hpp"
#include "core/expression/literal.hpp"
#include "core/expression/stray_character.hpp"
#include "core/expression/syntax_error.hpp"
#include "core/expression/utf8.hpp"

namespace millrace::expression {
namespace {

constexpr std::array<std::string_view, 12> kWords{"and",     "or",       "not",        "in",
                                                  "matches", "contains", "startsWith", "endsWith",
                                                  "if",      "else",     "let",        "null"};

// Longer ones first.
constexpr std::array<std::string_view, 33> kSymbols{
    "${", "&&", "||", "==", "!=", "<=", ">=", "**", "??", "?.", "..", "(", ")", "[", "]", "{", "}",
    ",",  ";",  ":",  "?",  ".",  "|",  "<",  ">",  "+",  "-",  "*",  "/", "%", "^", "!", "="};

bool is_ascii(char c) {
    return static_cast<unsigned char>(c) < 0x80;
}

bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Names may be of any script; many write words with marks behind their letters.
bool continues_name(char32_t character) {
    return is_letter(character) || is_mark(character) || is_decimal_digit(character);
}

class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    Result<std::vector<Token>> run() {
        std::vector<Token> tokens;
        while (true) {
            if (const Status skipped = skip_blanks(); !skipped) return skipped.error();
            if (next_ == text_.size()) break;
            Result<Token> token = read();
            if (!token) return token.error();
            tokens.push_back(std::move(*token));
        }
        tokens.push_back({.kind = TokenKind::end, .position = text_.size()});
        return tokens;
    }

private:
    char peek(std::size_t ahead = 0) const {
        return next_ + ahead < text_.size() ? text_[next_ + ahead] : '\0';
    }

    Status skip_blanks() {
        constexpr std::string_view kBlanks = " \t\r\n";
        while (next_ < text_.size()) {
            if (kBlanks.find(peek()) != std::string_view::npos) {
                ++next_;
            } else if (text_.substr(next_, 2) == "//") {
                next_ = std::min(text_.find('\n', next_), text_.size());
            } else if (text_.substr(next_, 2) == "/*") {
                const std::size_t end = text_.find("*/", next_ + 2);
                if (end == std::string_view::npos) {
                    return syntax_error(text_, next_, "the comment does not end");
                }
                next_ = end + 2;
            } else {
                break;
            }
        }
        return ok();
    }

    Result<Token> read() {
        const char first = peek();
        if (is_digit(first) || (first == '.' && is_digit(peek(1)))) {
            return advance(read_number(text_, next_));
        }
        if (first == '"' || first == '\'' || first == '`') return advance(read_text(text_, next_));
        if (name_starts_at(next_) || (first == '$' && name_starts_at(next_ + 1))) {
            return read_name();
        }
        if (first == '#') return read_hash();
        return read_symbol();
    }

    Result<Token> advance(Result<Token> token) {
        if (token) next_ += token->spelling.size();
        return token;
    }

    Result<Token> read_name() {
        const std::size_t sign = peek() == '$' ? 1 : 0;
        Token token = take(TokenKind::name, name_end(next_ + sign));
        if (std::ranges::find(kWords, token.spelling) != kWords.end()) token.kind = TokenKind::word;
        return token;
    }

    Result<Token> read_hash() {
        if (!name_starts_at(next_ + 1)) return take(TokenKind::hash, next_ + 1);
        ++next_;
        return take(TokenKind::hashed_name, name_end(next_));
    }

    Result<Token> read_symbol() {
        for (const std::string_view symbol : kSymbols) {
            if (!text_.substr(next_).starts_with(symbol)) continue;
            // `c ?.5 : 1` asks a question; `a?.b` walks on.
            if (symbol == "?." && is_digit(peek(2))) continue;
            return take(TokenKind::symbol, next_ + symbol.size());
        }
        return syntax_error(text_, next_, describe_stray(character_at(next_).value));
    }

    // The text is UTF-8, and its end lies behind `position`.
    utf8::CodePoint character_at(std::size_t position) const {
        return utf8::decode(text_.substr(position)).value_or(utf8::CodePoint{});
    }

    bool name_starts_at(std::size_t position) const {
        if (position >= text_.size()) return false;
        if (is_ascii(text_[position])) return is_ascii_letter(text_[position]);
        return is_letter(character_at(position).value);
    }

    std::size_t name_end(std::size_t end) const {
        while (end < text_.size()) {
            if (is_ascii(text_[end])) {
                if (!is_ascii_letter(text_[end]) && !is_digit(text_[end])) break;
                ++end;
            } else {
                const utf8::CodePoint next = character_at(end);
                if (!continues_name(next.value)) break;
                end += next.size;
            }
        }
        return end;
    }

    Token take(TokenKind kind, std::size_t end) {
        Token token{.kind = kind, .spelling = text_.substr(next_, end - next_), .position = next_};
        next_ = end;
        return token;
    }

    std::string_view text_;
    std::size_t next_ = 0;
};

}  // namespace

Result<std::vector<Token>> tokenize(std::string_view text) {
    return Lexer(text).run();
}

}  // namespace millrace::expression
