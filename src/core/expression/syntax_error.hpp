#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace millrace::expression {

// "... at character 7": people count characters from 1, `position` counts bytes from 0.
Error syntax_error(std::string_view text, std::size_t position, std::string_view problem);

}  // namespace millrace::expression
