#include <chrono>

#include "simulator/queue_users.hpp"

namespace millrace::sim {

namespace {

using namespace std::chrono_literals;

constexpr int kEnqueuedMost = 8;
constexpr std::size_t kEnqueuesKept = 20;

json::Value asked_by_enqueue(const EnqueueExecution& command) {
    Result<json::Value> input = command.input.value();
    return json::Object{{"definitionId", command.definition_id},
                        {"priority", command.priority},
                        {"concurrencyKey", command.concurrency_key},
                        {"input", input ? std::move(*input) : json::Value{}}};
}

}  // namespace

EnqueueExecution QueueUsers::draw_enqueue(Deed& deed) {
    SimRandom& random = deed.random;
    EnqueueExecution command{.key = {.workspace_id = draw_workspace(deed)}};
    const bool is_remote = swarm_.cluster_weight > 0 && random.chance(50);
    command.definition_id = (is_remote ? "away" : "here") + std::to_string(random.below(2));
    if (random.chance(3)) command.definition_id = "nowhere";
    if (random.chance(3)) command.definition_version = random.between(1, 3);
    if (random.chance(50)) command.priority = random.between(0, random.chance(5) ? 12 : 9);
    const Instant now = deed.world.store_time();
    if (random.chance(20)) command.not_before = now + random.between(0s, 60s);
    if (random.chance(15)) command.deadline = now + random.between(1s, 120s);
    if (random.chance(40)) command.concurrency_key = "c" + std::to_string(random.below(3));
    const auto input = Variables::from_value(json_from(random_input(random)));
    if (input) command.input = *input;
    return command;
}

std::unique_ptr<Command> QueueUsers::enqueue_command(World& world, int replica,
                                                     EnqueueExecution command,
                                                     const std::optional<std::string>& key) {
    command.key.id = {world.replica(replica).next_id().value};
    const ExecutionKey execution = command.key;
    json::Value asked = asked_by_enqueue(command);
    const CallInfo info{replica, execution.workspace_id, {execution.id.value}, key};
    return world.make_command(
        info, once(key, execution.workspace_id,
                   audited(world, replica, execution.workspace_id, std::move(command)),
                   std::move(asked)));
}

void QueueUsers::enqueue_one(World& world, int replica, const EnqueueExecution& command,
                             const std::optional<std::string>& key) {
    std::vector<std::unique_ptr<Command>> one;
    one.push_back(enqueue_command(world, replica, command, key));
    world.push(replica, std::move(one));
}

void QueueUsers::enqueue(Deed& deed) {
    const EnqueueExecution command = draw_enqueue(deed);
    const std::optional<std::string> key = draw_key(deed);
    enqueue_one(deed.world, deed.replica, command, key);
    if (!key) return;
    repeats_.push_back([this, command, key](World& world, int replica) {
        enqueue_one(world, replica, command, key);
    });
    if (repeats_.size() > kEnqueuesKept) repeats_.pop_front();
}

void QueueUsers::enqueue_many(Deed& deed) {
    if (!swarm_.has_bulk) return enqueue(deed);
    std::vector<std::unique_ptr<Command>> many;
    const std::optional<std::string> shared_key = draw_key(deed);
    const int count = deed.random.between(2, kEnqueuedMost);
    for (int item = 0; item < count; ++item) {
        const EnqueueExecution command = draw_enqueue(deed);
        // Two items may have the same key.
        const bool is_shared = deed.random.chance(20);
        const std::optional<std::string> key = is_shared ? shared_key : draw_key(deed);
        many.push_back(enqueue_command(deed.world, deed.replica, command, key));
    }
    deed.world.push(deed.replica, std::move(many));
}

void QueueUsers::repeat(Deed& deed) {
    if (!repeats_.empty()) deed.random.pick(repeats_)(deed.world, deed.replica);
}

}  // namespace millrace::sim
