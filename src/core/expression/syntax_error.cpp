#include "core/expression/syntax_error.hpp"

#include "core/expression/utf8.hpp"

namespace millrace::expression {

Error syntax_error(std::string_view text, std::size_t position, std::string_view problem) {
    const std::size_t character = utf8::length(text.substr(0, position)) + 1;
    return Error{.code = ErrorCode::invalid_argument,
                 .detail = std::string(problem) + " at character " + std::to_string(character)};
}

}  // namespace millrace::expression
