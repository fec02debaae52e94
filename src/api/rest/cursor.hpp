#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace millrace::rest {

// A place in a list as its readers get it: text that goes into a URL as it is, and that they need
// not understand.
std::string cursor_of(std::string_view place);

// The place. invalid_argument: no cursor.
Result<std::string> place_in_cursor(std::string_view cursor);

Error cursor_error();

}  // namespace millrace::rest
