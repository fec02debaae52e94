#pragma once

#include <string_view>

#include "base/result.hpp"
#include "core/expression/token.hpp"

namespace millrace::expression {

inline constexpr std::string_view kIntegerTooLarge = "the integer does not fit 64 bits";

// Reads the number that starts at `position`. `spelling` of the token has its length.
Result<Token> read_number(std::string_view text, std::size_t position);

// Reads the text literal whose opening quote (', " or `) stands at `position`; likewise.
Result<Token> read_text(std::string_view text, std::size_t position);

}  // namespace millrace::expression
