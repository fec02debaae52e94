#pragma once

#include <optional>
#include <string_view>

#include "api/rest/body_reader.hpp"
#include "base/time.hpp"

namespace millrace::rest {

// A time as clients send it: RFC 3339 with its offset. A date alone would leave open when.
std::optional<Instant> request_time(std::string_view text);

// Such a field of a body. Empty when it is absent or an empty text.
std::optional<Instant> time_field(BodyReader& body, std::string_view name);

}  // namespace millrace::rest
