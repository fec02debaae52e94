#pragma once

#include <string>

#include "base/time.hpp"

namespace millrace {

// UTC as in RFC 3339, with as many decimals as are needed: 2026-11-15T06:55:59.54562Z
void append_time_text(std::string& out, Instant at);
std::string time_text(Instant at);

}  // namespace millrace
