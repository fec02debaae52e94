#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/id.hpp"
#include "base/time.hpp"

namespace millrace {

// A caller's own name for one request, so that repeating it does nothing twice.
struct IdempotencyKey {
    WorkspaceId workspace_id{};
    std::string operation{};  // instance.start and so on: the same key may name one of each.
    std::string key{};

    friend auto operator<=>(const IdempotencyKey&, const IdempotencyKey&) = default;
};

// What was done under a key, written in the transaction that did it.
struct IdempotencyRecord {
    IdempotencyKey key{};
    std::array<std::uint8_t, 32> request_hash{};  // SHA-256 of what was asked.
    std::optional<InstanceId> instance_id{};      // Of a start: what it has started.
    Instant created_at{};

    friend bool operator==(const IdempotencyRecord&, const IdempotencyRecord&) = default;
};

}  // namespace millrace
