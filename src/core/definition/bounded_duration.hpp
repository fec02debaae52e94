#pragma once

#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"

namespace millrace::definition {

// A duration without years and months, which no clock could count, within bounds. The error's
// detail goes on with a sentence about the duration: "is ...", "must ...".
Result<Duration> parse_bounded_duration(std::string_view text, Duration min, Duration max);

}  // namespace millrace::definition
