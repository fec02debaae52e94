#pragma once

#include <string>
#include <string_view>

#include "cli/context.hpp"

namespace millrace::cli {

enum class Colour { none, bold, red, green, yellow, cyan };

// What people look for: red for FAILED, green for COMPLETED, and so on; none for other words.
Colour colour_of(std::string_view state);

// The text as the console shows it: coloured, or as it is.
std::string coloured(const Console& console, Colour colour, std::string_view text);

}  // namespace millrace::cli
