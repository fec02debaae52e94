#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/expression/value.hpp"

namespace millrace::expression {

inline constexpr std::string_view kBeyondYears = "the time is outside the years 0001 to 9999";

// Nothing when it would show another year, which RFC 3339 cannot say.
std::optional<Time> shown_in(Instant at, const Zone& zone);

// When a clock in the zone shows this. Fails when there is no such day, or no such year.
Result<Time> make_time(std::chrono::year_month_day date, Duration clock, const Zone& zone);

// `2024-02-29`, `2024-02-29 15:04:05` or RFC 3339; UTC where no offset is given.
Result<Time> parse_time(std::string_view text);

// RFC 3339, with as many digits of the fraction as it needs.
std::string format_time(const Time& time);

// `1h30m`, `-1.5s`, `100ms`: numbers with the units ns, us, µs, ms, s, m, h.
std::optional<Span> parse_span(std::string_view text);

// `1h30m0s`, `1.5s`, `100ms`, `0s`.
std::string format_span(Span span);

// `UTC`, `Z`, `+02:00`, `-0530`, `Europe/Zurich`.
std::optional<Zone> parse_zone(std::string_view text);

std::string format_zone(const Zone& zone);

}  // namespace millrace::expression
