#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"
#include "core/access/api_key.hpp"

namespace millrace {

// What a principal was known by.
enum class Credential { key, certificate };

// Who asks, as the key says that was sent, or the certificate that was shown.
struct Principal {
    Credential credential = Credential::key;
    std::string key_id{};  // Of a certificate: kCertificatePrefix and the name.
    std::string name{};
    Role role = Role::viewer;
    std::optional<WorkspaceId> workspace_id{};  // Empty: of the whole cluster.

    friend bool operator==(const Principal&, const Principal&) = default;
};

// No id of a key has a colon.
inline constexpr std::string_view kCertificatePrefix = "certificate:";

inline Principal principal_of(const ApiKey& key) {
    return {.key_id = key.id, .name = key.name, .role = key.role, .workspace_id = key.workspace_id};
}

}  // namespace millrace
