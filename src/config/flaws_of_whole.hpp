#pragma once

#include <vector>

#include "base/result.hpp"
#include "config/server_config.hpp"

namespace millrace::config {

// What is wrong with settings that each fit for themselves: pairs of which one is missing, one that
// must be less than another, names in maps. The path of each is a key.
std::vector<ErrorDetail> flaws_of_whole(const ServerConfig& config);

}  // namespace millrace::config
