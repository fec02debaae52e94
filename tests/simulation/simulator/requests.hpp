#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/json/value.hpp"
#include "engine/audited.hpp"
#include "engine/idempotent.hpp"
#include "engine/start_instance.hpp"
#include "simulator/world.hpp"

namespace millrace::sim {

// Commands as the handlers of the REST API make them.

// JSON that this program wrote itself.
json::Value json_from(std::string_view text);

std::array<std::uint8_t, 32> hash_of(std::string_view operation, json::Value asked);

template <class Request>
Audited<Request> audited(World& world, int replica, const WorkspaceId& workspace_id,
                         Request command) {
    if (!world.swarm().has_audit) return {.request = std::move(command)};
    const AuditEntryId id{world.replica(replica).next_id().value};
    return {.request = std::move(command),
            .trail = AuditTrail{{id, workspace_id}, {.request_id = "simulated"}}};
}

// The entry of a start has the id of the instance.
inline Audited<StartInstance> audited_start(World& world, StartInstance command) {
    if (!world.swarm().has_audit) return {.request = std::move(command)};
    const AuditKey key{AuditEntryId{command.key.id.value}, command.key.workspace_id};
    return {.request = std::move(command), .trail = AuditTrail{key, {.request_id = "simulated"}}};
}

template <class Request>
Idempotent<Audited<Request>> once(const std::optional<std::string>& key,
                                  const WorkspaceId& workspace_id, Audited<Request> command,
                                  json::Value asked) {
    if (!key) return {.request = std::move(command)};
    return {.request = std::move(command),
            .key = IdempotencyKey{workspace_id, std::string(Request::kName), *key},
            .request_hash = hash_of(Request::kName, std::move(asked))};
}

}  // namespace millrace::sim
