#pragma once

#include <string_view>

#include "base/result.hpp"
#include "core/expression/value.hpp"

namespace millrace::expression {

// Reads a time as the layout shows it. A layout is how one certain time would be written: Monday,
// January 2, 2006, 15:04:05 -0700 MST. `02.01.2006` is a day with two digits, a month, a year.
//
//   2006 06   January Jan 01 1   02 _2 2 002 __2 (of the year)   Monday Mon
//   15 03 3 PM pm   04 4   05 5   .000 .999 ,000   -0700 -07:00 -07 Z0700 Z07:00 Z07   MST
//
// Everything else stands for itself. A second may have a fraction that the layout does not show.
// The zone holds where the text has none.
Result<Time> parse_time(std::string_view text, std::string_view layout, const Zone& zone);

}  // namespace millrace::expression
