#pragma once

#include <string>
#include <string_view>

#include "url.hpp"

namespace millrace::client {

// The path of an instance, and of what belongs to it.
inline std::string instance_target(std::string_view id, std::string_view rest = {}) {
    return "/v1/instances/" + percent_encoded(id) + std::string(rest);
}

}  // namespace millrace::client
