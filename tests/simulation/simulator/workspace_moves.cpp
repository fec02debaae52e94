#include "engine/cancel_instance.hpp"
#include "engine/upload_definition.hpp"
#include "queue/change_workspace.hpp"
#include "queue/create_workspace.hpp"
#include "queue/delete_workspace.hpp"
#include "simulator/queue_users.hpp"

namespace millrace::sim {

namespace {

constexpr std::int64_t kRetiredMost = 100;
constexpr std::int32_t kRetiredAtOnce = 4;

std::string draw_plan_name(SimRandom& random) {
    const std::vector<std::string> names{"FREE", "PRO", "ENTERPRISE", "UNLIMITED"};
    return random.pick(names);
}

WorkspaceChanges draw_settings(SimRandom& random) {
    WorkspaceChanges changes;
    switch (random.below(7)) {
        case 0: changes.plan = draw_plan_name(random); break;
        case 1: changes.max_active = std::optional(random.between(0, 4)); break;
        case 2: changes.max_active = std::optional<std::int32_t>{}; break;
        case 3: changes.max_per_key = std::optional(random.between(1, 3)); break;
        case 4:
            changes.rate_per_second =
                random.chance(30) ? std::optional<double>{}
                                  : std::optional(static_cast<double>(random.between(1, 30)) / 10);
            break;
        case 5: changes.weight = random.between(1, 5); break;
        default: changes.is_paused = random.chance(50); break;
    }
    return changes;
}

}  // namespace

void QueueUsers::create_one(World& world, int replica, const WorkspaceId& id, SimRandom& random) {
    CreateWorkspace command{.id = id, .settings = draw_settings(random), .plans = default_plans()};
    command.settings.plan = draw_plan_name(random);
    world.submit({.replica = replica, .workspace_id = id},
                 audited(world, replica, id, std::move(command)));
}

// What runs in a workspace that may go waits for nobody who would not find it.
void QueueUsers::upload_all(World& world, int replica, const WorkspaceId& id) {
    SimRandom random(seed_of(seed_, "definitions"));
    DefinitionMix mix = mix_;
    if (id.value == "temporary") mix.has_user_tasks = mix.has_waits = mix.has_failures = false;
    const bool is_chained = random.chance(40);
    upload_one(world, replica, id, random_definition(random, mix, "here0"));
    upload_one(world, replica, id,
               random_definition(random, mix, "here1", is_chained ? "here0" : ""));
    if (swarm_.cluster_weight == 0) return;
    upload_one(world, replica, id, random_remote_definition(random, "away0", "main"));
    upload_one(world, replica, id, random_remote_definition(random, "away1", "other"));
}

void QueueUsers::upload_one(World& world, int replica, const WorkspaceId& id,
                            std::string_view text) {
    Result<UploadDefinition> command = make_upload(id, json_from(text));
    MILLRACE_CHECK(static_cast<bool>(command));
    world.submit({.replica = replica, .workspace_id = id},
                 audited(world, replica, id, std::move(*command)));
}

void QueueUsers::create_workspace(Deed& deed) {
    const WorkspaceId& id = draw_workspace(deed);
    create_one(deed.world, deed.replica, id, deed.random);
    upload_all(deed.world, deed.replica, id);
}

void QueueUsers::change_workspace(Deed& deed) {
    const WorkspaceId& id = draw_workspace(deed);
    ChangeWorkspace command{
        .id = id, .changes = draw_settings(deed.random), .plans = default_plans()};
    deed.world.submit({.replica = deed.replica, .workspace_id = id},
                      audited(deed.world, deed.replica, id, std::move(command)));
}

// As the handler does, step by step. Nobody goes on for a replica that is dead.
void QueueUsers::delete_workspace(Deed& deed) {
    if (workspaces_.back().value != "temporary") return;
    const WorkspaceId id = workspaces_.back();
    World& world = deed.world;
    const int replica = deed.replica;
    const CallInfo info{.replica = replica, .workspace_id = id};
    RetireSteps steps;
    steps.set_paused = [=, &world](bool is_paused, RetireSteps::Done<Workspace> done) {
        ChangeWorkspace command{
            .id = id, .changes = {.is_paused = is_paused}, .plans = default_plans()};
        world.submit(info, audited(world, replica, id, std::move(command)),
                     std::function([done](Result<Workspace> changed) {
                         if (changed || !is_gone(changed.error())) done(changed);
                     }));
    };
    steps.cancel_execution = [=, this, &world](const ExecutionKey& key, std::int64_t, auto done) {
        cancel_with(world, replica, {.key = key, .is_forced = true}, std::move(done));
    };
    steps.cancel_instance = [=, &world](const InstanceKey& key, std::function<void(Status)> done) {
        world.submit(info, audited(world, replica, id, CancelInstance{.instance = key}),
                     std::function([done](Result<Instance> cancelled) {
                         if (cancelled) return done(ok());
                         if (!is_gone(cancelled.error())) done(cancelled.error());
                     }));
    };
    steps.remove = [=, &world](const CountedWork& counted,
                               RetireSteps::Done<DeletedWorkspace> done) {
        world.submit(info, audited(world, replica, id, DeleteWorkspace{counted}),
                     std::function([done](Result<DeletedWorkspace> deleted) {
                         if (deleted || !is_gone(deleted.error())) done(deleted);
                     }));
    };
    const RetireWorkspace request{.id = id,
                                  .is_forced = deed.random.chance(50),
                                  .count_max = kRetiredMost,
                                  .at_once_max = kRetiredAtOnce};
    retire_workspace(request, world.replica(replica).node()->queries(), std::move(steps),
                     [](const Status&) {});
}

// Everything may go in, a few at a time.
bool QueueUsers::help_workspace(World& world, int replica, const Workspace& workspace) {
    const bool is_open = !workspace.is_paused && workspace.max_active == 3 &&
                         workspace.max_per_key == 1 && workspace.rate_per_second == 20.0;
    if (is_open) return false;
    ChangeWorkspace command{
        .id = workspace.id,
        .changes = {.max_active = std::optional(3),
                    .max_per_key = std::optional(1),
                    .rate_per_second = std::optional(20.0),
                    .is_paused = false},
        .plans = default_plans(),
    };
    world.submit({.replica = replica, .workspace_id = workspace.id},
                 audited(world, replica, workspace.id, std::move(command)));
    return true;
}

}  // namespace millrace::sim
