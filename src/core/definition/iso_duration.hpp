#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"

namespace millrace {

// An ISO 8601 duration such as P1Y2M3W4DT5H6M7.5S. Years and months follow the calendar (UTC), the
// rest is exact. Always positive as a whole.
struct IsoDuration {
    std::int32_t months = 0;  // Twelve to a year.
    Duration exact{};         // Weeks, days, hours, minutes, seconds.

    friend bool operator==(const IsoDuration&, const IsoDuration&) = default;
};

// invalid_argument with a reason for anything else, zero and more than a hundred years included.
Result<IsoDuration> parse_iso_duration(std::string_view text);

// A month later is the same day of the next month, or its last day: January 31 + P1M is the last
// of February.
Instant operator+(Instant start, const IsoDuration& duration);
// The same backwards: March 31 - P1M is the last of February.
Instant operator-(Instant end, const IsoDuration& duration);

}  // namespace millrace
