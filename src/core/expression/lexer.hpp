#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/expression/token.hpp"

namespace millrace::expression {

// Cuts a text, which is UTF-8, into tokens, the last of which is `end`. The tokens refer to the
// text.
Result<std::vector<Token>> tokenize(std::string_view text);

}  // namespace millrace::expression
