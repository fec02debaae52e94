#pragma once

#include <optional>
#include <string_view>

#include "base/time.hpp"

namespace millrace::client {

// What a Retry-After header asks for: seconds, or a date. A date counts from the answer's own
// `date` when that is there, so that a wrong clock here does not matter. nullopt: absent or
// unreadable.
std::optional<Duration> retry_after(std::string_view value, std::string_view date);

}  // namespace millrace::client
