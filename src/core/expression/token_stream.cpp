#include "core/expression/token_stream.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "core/expression/syntax_error.hpp"

namespace millrace::expression {
namespace {

std::string describe(const Token& token) {
    return token.kind == TokenKind::end ? "end" : quoted(token.spelling);
}

}  // namespace

const Token& TokenStream::peek(std::size_t ahead) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
}

const Token& TokenStream::take() {
    const Token& token = tokens_[next_];
    if (next_ + 1 < tokens_.size()) ++next_;
    return token;
}

bool TokenStream::accept(std::string_view symbol_or_word) {
    if (!at(symbol_or_word)) return false;
    take();
    return true;
}

bool TokenStream::expect(std::string_view symbol_or_word) {
    if (accept(symbol_or_word)) return true;
    (void)fail("expected " + quoted(symbol_or_word) + " instead of " + describe(current()));
    return false;
}

std::nullptr_t TokenStream::fail_at(const Token& token, std::string_view problem) {
    if (!error_) error_ = syntax_error(text_, token.position, problem);
    return nullptr;
}

std::nullptr_t TokenStream::fail_unexpected() {
    return fail("unexpected " + describe(current()));
}

}  // namespace millrace::expression
