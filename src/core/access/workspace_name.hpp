#pragma once

#include <string_view>

namespace millrace {

// Up to 63 lower-case letters, digits and hyphens.
bool is_workspace(std::string_view text);

}  // namespace millrace
