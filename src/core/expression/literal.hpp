#pragma once

#include <string_view>

#include "base/result.hpp"
#include "core/expression/token.hpp"

namespace millrace::expression {

// Reads the number that starts at `position`. `spelling` of the token has its length.
Result<Token> read_number(std::string_view text, std::size_t position);

// Reads the text literal whose opening quote (', " or `) stands at `position`; likewise.
Result<Token> read_text(std::string_view text, std::size_t position);

}  // namespace millrace::expression
