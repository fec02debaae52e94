#pragma once

#include <string>
#include <string_view>

#include "url.hpp"

namespace millrace::client {

// The path of a workspace, and of what belongs to it.
inline std::string workspace_target(std::string_view id, std::string_view rest = {}) {
    return "/v1/workspaces/" + percent_encoded(id) + std::string(rest);
}

}  // namespace millrace::client
