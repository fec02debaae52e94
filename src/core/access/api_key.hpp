#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"
#include "base/time.hpp"

namespace millrace {

// On the wire and in the database these are viewer, worker, operator, admin.
enum class Role { viewer, worker, operator_, admin };

std::string_view to_string(Role role);
std::optional<Role> parse_role(std::string_view text);

using SecretHash = std::array<std::uint8_t, 32>;

// 64 digits of base 16, lower case: how every store keeps a hash.
std::string hash_text(const SecretHash& hash);
std::optional<SecretHash> parse_hash_text(std::string_view text);

// Takes the same time wherever they differ, so that nobody can feel a way to the right one.
bool is_same_hash(const SecretHash& left, const SecretHash& right);

// A credential as it is stored: of its secret only the SHA-256 hash. The secret has 256 random
// bits, so a slow hash would protect nothing more.
struct ApiKey {
    std::string id{};  // Public, part of the key that its owner sends.
    std::string name{};
    Role role = Role::viewer;
    std::optional<WorkspaceId> workspace_id{};  // Empty: it is good for the whole cluster.
    SecretHash secret_hash{};
    Instant created_at{};
    std::optional<Instant> expires_at{};
    std::optional<Instant> revoked_at{};

    friend bool operator==(const ApiKey&, const ApiKey&) = default;
};

// Neither expired nor revoked.
bool is_good(const ApiKey& key, Instant now);

struct ApiKeyRevocation {
    std::string id{};
    Instant revoked_at{};

    friend bool operator==(const ApiKeyRevocation&, const ApiKeyRevocation&) = default;
};

}  // namespace millrace
