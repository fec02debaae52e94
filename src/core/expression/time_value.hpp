#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/expression/value.hpp"

namespace millrace::expression {

// Whether RFC 3339 can say it, with any offset: its years have four digits.
bool is_representable(const Time& time);

// `2024-02-29`, `2024-02-29 15:04:05` or RFC 3339; UTC where no offset is given.
std::optional<Time> parse_time(std::string_view text);

// RFC 3339, with as many digits of the fraction as it needs.
std::string format_time(const Time& time);

// `1h30m`, `-1.5s`, `100ms`: numbers with the units ns, us, µs, ms, s, m, h.
std::optional<Span> parse_span(std::string_view text);

// `1h30m0s`, `1.5s`, `100ms`, `0s`.
std::string format_span(Span span);

// `UTC`, `Z`, `+02:00`, `-0530`.
std::optional<Zone> parse_zone(std::string_view text);

std::string format_zone(const Zone& zone);

}  // namespace millrace::expression
