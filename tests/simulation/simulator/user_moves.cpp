#include "engine/assign_user_task.hpp"
#include "engine/cancel_instance.hpp"
#include "engine/cancel_instances.hpp"
#include "engine/change_variables.hpp"
#include "engine/claim_user_task.hpp"
#include "engine/complete_user_task.hpp"
#include "engine/finish_user_task.hpp"
#include "engine/get_history.hpp"
#include "engine/get_instance.hpp"
#include "engine/resume_instance.hpp"
#include "engine/retry_instance.hpp"
#include "engine/signal_wait.hpp"
#include "engine/suspend_instance.hpp"
#include "engine/unclaim_user_task.hpp"
#include "simulator/user_calls.hpp"

namespace millrace::sim {

namespace {

std::string draw_user(SimRandom& random) {
    return random.chance(20) ? std::string() : "u" + std::to_string(random.below(3));
}

}  // namespace

void Users::signal(Deed& deed) {
    const Sight sight = draw_instance(deed);
    SignalWait command{.instance = sight.key,
                       .step_id = draw_step(deed, sight, StepType::wait),
                       .variables = json_from(random_changes(deed.random))};
    json::Value asked = json::Object{{"instanceId", to_string(sight.key.id.value)},
                                     {"stepId", command.step_id},
                                     {"variables", command.variables}};
    send_once(deed, sight.key.workspace_id, sight.key.id.value, std::move(command),
              std::move(asked));
}

void Users::complete_task(Deed& deed) {
    const Sight sight = draw_instance(deed);
    CompleteUserTask command{.instance = sight.key,
                             .step_id = draw_step(deed, sight, StepType::user_task),
                             .variables = json_from(random_changes(deed.random)),
                             .completed_by = draw_user(deed.random)};
    json::Value asked = json::Object{{"instanceId", to_string(sight.key.id.value)},
                                     {"stepId", command.step_id},
                                     {"variables", command.variables},
                                     {"completedBy", command.completed_by}};
    send_once(deed, sight.key.workspace_id, sight.key.id.value, std::move(command),
              std::move(asked));
}

void Users::finish_task(Deed& deed) {
    FinishUserTask command{.task = draw_task(deed),
                           .user_id = draw_user(deed.random),
                           .variables = json_from(random_changes(deed.random))};
    json::Value asked = json::Object{{"userTaskId", to_string(command.task.id.value)},
                                     {"variables", command.variables},
                                     {"userId", command.user_id}};
    const UserTaskKey task = command.task;
    send_once(deed, task.workspace_id, task.id.value, std::move(command), std::move(asked));
}

void Users::claim_task(Deed& deed) {
    const UserTaskKey task = draw_task(deed);
    const std::string user = "u" + std::to_string(deed.random.below(3));
    send(deed, task.workspace_id, task.id.value, ClaimUserTask{.task = task, .user_id = user});
}

void Users::unclaim_task(Deed& deed) {
    const UserTaskKey task = draw_task(deed);
    send(deed, task.workspace_id, task.id.value,
         UnclaimUserTask{.task = task, .user_id = draw_user(deed.random)});
}

void Users::assign_task(Deed& deed) {
    const UserTaskKey task = draw_task(deed);
    const std::string user = "u" + std::to_string(deed.random.below(3));
    send(deed, task.workspace_id, task.id.value, AssignUserTask{.task = task, .assignee = user});
}

void Users::cancel(Deed& deed) {
    const InstanceKey key = draw_instance(deed).key;
    send(deed, key.workspace_id, key.id.value, CancelInstance{.instance = key, .reason = "enough"});
}

// Page by page, as the handler does it: a question, then a command for each that was found.
void Users::cancel_many(Deed& deed) {
    if (!swarm_.has_bulk) return cancel(deed);
    Node* node = deed.world.replica(deed.replica).node();
    CancelInstances request{
        .filter = {.workspace_id = draw_workspace(deed),
                   .definition_id = draw_definition(deed),
                   .statuses = {InstanceStatus::active, InstanceStatus::waiting}},
        .reason = "all of them",
        .count_max = deed.random.between(1, 5)};
    const auto cancel_one = [&world = deed.world, replica = deed.replica](
                                const InstanceKey& key, std::function<void(Status)> done) {
        world.submit({.replica = replica, .workspace_id = key.workspace_id, .ids = {key.id.value}},
                     audited(world, replica, key.workspace_id,
                             CancelInstance{.instance = key, .reason = "all of them"}),
                     std::function([done](Result<Instance> cancelled) {
                         if (cancelled) return done(ok());
                         if (!is_gone(cancelled.error())) done(cancelled.error());
                     }));
    };
    cancel_instances(std::move(request), node->queries(), cancel_one,
                     [](const Result<CancelledInstances>&) {});
}

void Users::suspend(Deed& deed) {
    const InstanceKey key = draw_instance(deed).key;
    send(deed, key.workspace_id, key.id.value, SuspendInstance{.instance = key});
}

void Users::resume(Deed& deed) {
    const InstanceKey key = draw_instance(deed).key;
    send(deed, key.workspace_id, key.id.value, ResumeInstance{key});
}

void Users::retry(Deed& deed) {
    const InstanceKey key = draw_instance(deed).key;
    retry_with(deed.world, deed.replica,
               audited(deed.world, deed.replica, key.workspace_id, RetryInstance{key}));
}

// An instance keeps its execution for good, so that a second time is the last.
void Users::retry_with(World& world, int replica, const Audited<RetryInstance>& command) {
    const InstanceKey& key = command.request.instance;
    world.submit({.replica = replica, .workspace_id = key.workspace_id, .ids = {key.id.value}},
                 command,
                 std::function([this, &world, replica, command](Result<RetriedInstance> retried) {
                     if (!retried || !retried->execution_needed) return;
                     Audited<RetryInstance> again = command;
                     again.request.execution_id = retried->execution_needed;
                     retry_with(world, replica, again);
                 }));
}

void Users::change_variables(Deed& deed) {
    const Sight sight = draw_instance(deed);
    ChangeVariables command{.instance = sight.key,
                            .changes = json_from(random_changes(deed.random))};
    if (deed.random.chance(40)) command.changes = json_from(R"({"mended": true})");
    if (command.changes.is_null() || deed.random.chance(10)) command.removed = {"m"};
    if (sight.instance && deed.random.chance(40)) {
        command.expected_version = sight.instance->state.variables_version;
    }
    send(deed, sight.key.workspace_id, sight.key.id.value, std::move(command));
}

void Users::look(Deed& deed) {
    const InstanceKey key = draw_instance(deed).key;
    deed.world.ask(deed.replica, GetInstance{key}, [](const Result<Instance>&) {});
    deed.world.ask(deed.replica, GetHistory{key}, [](const Result<HistoryLines>&) {});
}

}  // namespace millrace::sim
