#include "simulator/queue_users.hpp"

#include <algorithm>

namespace millrace::sim {

namespace {

constexpr std::int32_t kSeenMost = 30;
constexpr std::int32_t kHelpedMost = 200;

}  // namespace

QueueUsers::QueueUsers(const Swarm& swarm, std::uint64_t seed, const RemoteCluster& cluster)
    : swarm_(swarm),
      seed_(seed_of(seed, "queue users")),
      deeds_(choices(), SimRandom(seed_of(seed_, "deeds"))),
      cluster_(cluster),
      workspaces_(swarm.workspaces) {
    SimRandom random(seed_of(seed_, "mix"));
    mix_ = DefinitionMix::random(random);
    mix_.depth = std::min(mix_.depth, 1);
    // These come and go, with all that is in them.
    if (random.chance(50)) workspaces_.push_back({"temporary"});
}

std::vector<Deeds<QueueUsers>::Choice> QueueUsers::choices() {
    return {{40, &QueueUsers::enqueue},
            {8, &QueueUsers::enqueue_many},
            {6, &QueueUsers::repeat},
            {10, &QueueUsers::cancel},
            {6, &QueueUsers::retry},
            {6, &QueueUsers::resume},
            {5, &QueueUsers::redrive},
            {3, &QueueUsers::dismiss},
            {4, &QueueUsers::purge},
            {8, &QueueUsers::report},
            {3, &QueueUsers::recover},
            {3, &QueueUsers::look},
            {4, &QueueUsers::create_workspace},
            {8, &QueueUsers::change_workspace},
            {8, &QueueUsers::delete_workspace}};
}

void QueueUsers::enter(World& world) {
    if (swarm_.queue_weight == 0) return;
    SimRandom random(seed_of(seed_, "enter"));
    for (const WorkspaceId& id : workspaces_) {
        if (id.value != kDefaultWorkspace) create_one(world, 0, id, random);
        upload_all(world, 0, id);
    }
}

void QueueUsers::equip(Node::Options& options, int, World&) {
    const Duration lease = swarm_.claim_lease;
    options.queue.dispatcher.lease = lease;
    options.queue.remote.lease = lease;
    options.queue.remote.call_timeout = lease / 3;
    if (!swarm_.is_single) return;
    const Dispatcher::Config& dispatcher = options.queue.dispatcher;
    options.queue.single = SingleMode::Options{.holder = dispatcher.owner,
                                               .batch = {.owner = dispatcher.owner,
                                                         .lease = lease,
                                                         .plans = dispatcher.plans,
                                                         .rules = dispatcher.rules}};
    options.queue.remote.is_sequential = true;
    options.queue.remote.stale_after = std::chrono::minutes{5};
}

// Lets everything in that waits.
bool QueueUsers::help(World& world) {
    const std::vector<int> up = world.replicas_up();
    if (swarm_.queue_weight == 0) return false;
    if (up.empty()) return true;
    SimRandom random(seed_of(seed_, "help", ++helps_));
    bool was_needed = false;
    const auto found = world.reader().workspaces({.size = kHelpedMost});
    if (!found) return true;
    for (const Workspace& workspace : found->items) {
        was_needed = help_workspace(world, random.pick(up), workspace) || was_needed;
    }
    const std::vector<QueueStatus> open{QueueStatus::pending, QueueStatus::claimed,
                                        QueueStatus::dispatched};
    for (const WorkspaceId& id : workspaces_) {
        const auto left =
            world.reader().executions({.workspace_id = id, .statuses = open}, {.size = 1});
        was_needed = was_needed || !left || !left->items.empty();
    }
    return was_needed;
}

const WorkspaceId& QueueUsers::draw_workspace(Deed& deed) const {
    return deed.random.pick(workspaces_);
}

std::optional<std::string> QueueUsers::draw_key(Deed& deed) const {
    if (!swarm_.has_keys || deed.random.chance(40)) return std::nullopt;
    return "q" + std::to_string(deed.random.next() % 1'000'000'007);
}

Execution QueueUsers::draw_execution(Deed& deed, std::vector<QueueStatus> statuses) {
    const WorkspaceId& id = draw_workspace(deed);
    ExecutionFilter filter{.workspace_id = id};
    if (!deed.random.chance(15)) filter.statuses = std::move(statuses);
    const auto found = deed.world.reader().executions(filter, {.size = kSeenMost});
    if (!found || found->items.empty() || deed.random.chance(2)) {
        const Id128 stranger = Id128::for_instance(deed.world.now(), deed.random.next());
        return {.key = {{stranger}, id}};
    }
    Execution execution = deed.random.pick(found->items);
    if (deed.random.chance(2)) execution.key.workspace_id = draw_workspace(deed);
    return execution;
}

}  // namespace millrace::sim
