#pragma once

#include <cstddef>
#include <string_view>

namespace millrace::expression {

// As std::string_view::find and rfind, but linear for every pattern: a hostile one would else make
// them quadratic. The position is in bytes.
std::size_t find_text(std::string_view text, std::string_view pattern, std::size_t from = 0);
std::size_t find_last_text(std::string_view text, std::string_view pattern);

}  // namespace millrace::expression
