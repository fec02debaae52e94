#include "simulator/key_keepers.hpp"

#include "engine/create_api_key.hpp"
#include "engine/revoke_api_key.hpp"
#include "simulator/requests.hpp"

namespace millrace::sim {

void KeyKeepers::act(const Event& event, World& world) {
    SimRandom random(event.seed);
    const std::vector<int> up = world.replicas_up();
    if (up.empty()) return;
    const int replica = random.pick(up);
    random.chance(50) ? create(random, replica, world) : revoke(random, replica, world);
}

// Ids are few, so that some are there already: dice of 62 bits would not get there.
void KeyKeepers::create(SimRandom& random, int replica, World& world) {
    ApiKey key{.id = "key" + std::to_string(random.below(40)), .name = "a key"};
    if (random.chance(70)) key.workspace_id = random.pick(swarm_.workspaces);
    if (random.chance(30)) {
        key.expires_at =
            world.store_time() + random.between(std::chrono::hours{-1}, std::chrono::hours{3});
    }
    const WorkspaceId workspace = key.workspace_id.value_or(swarm_.workspaces.front());
    world.submit({.replica = replica, .workspace_id = workspace},
                 audited(world, replica, workspace, CreateApiKey{std::move(key)}));
}

void KeyKeepers::revoke(SimRandom& random, int replica, World& world) {
    RevokeApiKey command{.id = "key" + std::to_string(random.below(40))};
    if (random.chance(50)) command.workspace_id = random.pick(swarm_.workspaces);
    const WorkspaceId workspace = command.workspace_id.value_or(swarm_.workspaces.front());
    world.submit({.replica = replica, .workspace_id = workspace},
                 audited(world, replica, workspace, std::move(command)));
}

void KeyKeepers::on_applied(const Writes& writes, Instant, int) {
    for (const ApiKey& key : writes.api_keys) {
        if (!keys_.emplace(key.id, key).second)
            violation_ = "The key " + key.id + " is made twice.";
    }
    for (const ApiKeyRevocation& revoked : writes.api_keys_revoked) {
        const auto found = keys_.find(revoked.id);
        if (found == keys_.end() || found->second.revoked_at) {
            violation_ = "The key " + revoked.id + " is revoked twice, or is not there.";
            return;
        }
        found->second.revoked_at = revoked.revoked_at;
    }
}

void KeyKeepers::on_told(const Told& call) {
    if (!call.outcome.is_ok()) return;
    const ApiKey* answer = std::any_cast<ApiKey>(&call.answer);
    if (answer == nullptr) return;
    const auto found = keys_.find(answer->id);
    const bool is_kept = found != keys_.end() && found->second.secret_hash == answer->secret_hash &&
                         found->second.workspace_id == answer->workspace_id;
    if (!is_kept) violation_ = "The key " + answer->id + " was told of and is not there.";
    const bool is_revocation = call.command == RevokeApiKey::kName;
    if (is_kept && is_revocation && !found->second.revoked_at) {
        violation_ = "The key " + answer->id + " was told to be revoked and is not.";
    }
}

void KeyKeepers::compare(Reader& reader, Instant) {
    for (const auto& [id, key] : keys_) {
        const auto found = reader.api_key(id);
        if (!found || *found != key) violation_ = "The store has another key " + id + ".";
    }
}

}  // namespace millrace::sim
