#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/expression/token.hpp"

namespace millrace::expression {

// The tokens of one text with a place among them, and the first thing that is wrong with them.
class TokenStream {
public:
    TokenStream(std::string_view text, std::vector<Token> tokens)
        : text_(text), tokens_(std::move(tokens)) {}

    const Token& current() const { return tokens_[next_]; }
    const Token& peek(std::size_t ahead) const;
    bool at(std::string_view symbol_or_word) const { return current().is(symbol_or_word); }

    // Moves on; the last token, `end`, stays.
    const Token& take();

    // Moves on if it stands here.
    bool accept(std::string_view symbol_or_word);

    // The same, or an error that says what should have stood here.
    bool expect(std::string_view symbol_or_word);

    // Always null, for whoever returns a node.
    std::nullptr_t fail(std::string_view problem) { return fail_at(current(), problem); }
    std::nullptr_t fail_at(const Token& token, std::string_view problem);
    std::nullptr_t fail_unexpected();

    const std::optional<Error>& error() const { return error_; }

private:
    std::string_view text_;
    std::vector<Token> tokens_;
    std::size_t next_ = 0;
    std::optional<Error> error_{};
};

}  // namespace millrace::expression
