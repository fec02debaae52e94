#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/work_meter.hpp"

namespace millrace::expression {

// As std::string_view::find and rfind, but linear for every pattern: a hostile one would else make
// them quadratic. The position is in bytes. Spends what the search really takes, and gives nothing
// when that is more than there is.
std::optional<std::size_t> find_text(std::string_view text, std::string_view pattern,
                                     std::size_t from, WorkMeter& meter);
std::optional<std::size_t> find_last_text(std::string_view text, std::string_view pattern,
                                          WorkMeter& meter);

}  // namespace millrace::expression
