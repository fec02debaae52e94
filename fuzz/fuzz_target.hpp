#pragma once

#include <string_view>

namespace millrace {

// One attempt of a target: crashes when one of its properties does not hold.
void fuzz(std::string_view input);

}  // namespace millrace
