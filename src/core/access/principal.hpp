#pragma once

#include <optional>
#include <string>

#include "base/id.hpp"
#include "core/access/api_key.hpp"

namespace millrace {

// Who asks, as the key that was sent says.
struct Principal {
    std::string key_id{};
    std::string name{};
    Role role = Role::viewer;
    std::optional<WorkspaceId> workspace_id{};  // Empty: of the whole cluster.

    friend bool operator==(const Principal&, const Principal&) = default;
};

inline Principal principal_of(const ApiKey& key) {
    return {.key_id = key.id, .name = key.name, .role = key.role, .workspace_id = key.workspace_id};
}

}  // namespace millrace
