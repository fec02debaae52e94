#pragma once

#include <optional>
#include <string_view>

#include "base/time.hpp"

namespace millrace::rest {

// A time as clients send it: RFC 3339 with its offset. A date alone would leave open when.
std::optional<Instant> request_time(std::string_view text);

}  // namespace millrace::rest
