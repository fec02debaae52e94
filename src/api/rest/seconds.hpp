#pragma once

#include <optional>

#include "api/rest/body_reader.hpp"
#include "base/time.hpp"

namespace millrace::rest {

// A number of seconds, brought into its range.
Duration clamped_seconds(std::optional<double> seconds, Duration if_absent, Duration least,
                         Duration most);

// The field leaseSeconds.
Duration lease_duration_of(BodyReader& body);

}  // namespace millrace::rest
