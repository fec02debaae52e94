#include <chrono>

#include "core/queue/transitions.hpp"
#include "queue/complete_execution.hpp"
#include "queue/dismiss_dead_letter.hpp"
#include "queue/get_execution.hpp"
#include "queue/purge_dead_letter.hpp"
#include "queue/recover_execution.hpp"
#include "queue/redrive_execution.hpp"
#include "queue/retry_execution.hpp"
#include "simulator/queue_users.hpp"

namespace millrace::sim {

namespace {

using namespace std::chrono_literals;

std::optional<Instant> draw_later(SimRandom& random, Instant now) {
    if (!random.chance(20)) return std::nullopt;
    return now + random.between(1s, 30s);
}

}  // namespace

void QueueUsers::cancel(Deed& deed) {
    const Execution execution =
        draw_execution(deed, {QueueStatus::pending, QueueStatus::claimed, QueueStatus::dispatched});
    const bool is_forced = deed.random.chance(30);
    cancel_with(deed.world, deed.replica,
                {.key = execution.key, .is_forced = is_forced, .reason = "enough"}, {});
}

// As the handler does: asked again with the instance that has to be locked.
void QueueUsers::cancel_with(World& world, int replica, const CancelExecution& command,
                             std::function<void(const Result<ExecutionId>&)> done) {
    const WorkspaceId& workspace = command.key.workspace_id;
    world.submit(
        {.replica = replica, .workspace_id = workspace, .ids = {command.key.id.value}},
        audited(world, replica, workspace, command),
        std::function([this, &world, replica, command, done](Result<CancelledExecution> cancelled) {
            if (cancelled && cancelled->instance_needed) {
                CancelExecution again = command;
                again.instance_id = cancelled->instance_needed;
                return cancel_with(world, replica, again, done);
            }
            if (!done || (!cancelled && is_gone(cancelled.error()))) return;
            done(cancelled ? Result<ExecutionId>(command.key.id) : cancelled.error());
        }));
}

void QueueUsers::retry(Deed& deed) {
    const Execution execution = draw_execution(deed, {QueueStatus::failed, QueueStatus::cancelled});
    RetryExecution command{
        .key = execution.key,
        .not_before = draw_later(deed.random, deed.world.store_time()),
        .new_id = {deed.world.replica(deed.replica).next_id().value},
    };
    const auto stored = deed.world.reader().execution(execution.key.id);
    if (stored && *stored) command.input = (*stored)->input;
    send(deed, execution.key, std::move(command));
}

void QueueUsers::resume(Deed& deed) {
    const Execution execution = draw_execution(deed, {QueueStatus::failed});
    driven_again_.insert(execution.key);
    send(deed, execution.key,
         RetryExecution{.key = execution.key,
                        .resumes = true,
                        .not_before = draw_later(deed.random, deed.world.store_time()),
                        .instance_id = execution.instance_id});
}

void QueueUsers::redrive(Deed& deed) {
    const Execution execution = draw_execution(deed, {QueueStatus::failed});
    driven_again_.insert(execution.key);
    send(deed, execution.key,
         RedriveExecution{.key = execution.key,
                          .not_before = draw_later(deed.random, deed.world.store_time())});
}

void QueueUsers::dismiss(Deed& deed) {
    const Execution execution = draw_execution(deed, {QueueStatus::failed});
    send(deed, execution.key, DismissDeadLetter{execution.key});
}

void QueueUsers::purge(Deed& deed) {
    const Execution execution = draw_execution(deed, {QueueStatus::failed});
    // One that was reported before its start was recorded is left alone: a record that comes after
    // its purge takes the row for lost, and brings it back (docs/simulation.md, open).
    const bool is_start_open = execution.executor != ExecutorKind::native && execution.claimed_at &&
                               !execution.dispatched_at;
    // One that is open may end in the same batch: what is written would not show that it did.
    const bool may_be_open =
        is_open(execution.queue_status) || driven_again_.contains(execution.key);
    if (is_start_open || may_be_open) return;
    send(deed, execution.key, PurgeDeadLetter{execution.key});
}

// A worker elsewhere says how a run ended, before anybody asks; and perhaps twice.
void QueueUsers::report(Deed& deed) {
    const Execution execution =
        draw_execution(deed, {QueueStatus::claimed, QueueStatus::dispatched});
    const std::optional<RunReport> ended = cluster_.ended_run(execution);
    if (!ended) return;
    CompleteExecution command{.key = execution.key, .run_id = ended->run_id};
    switch (ended->state) {
        case RunState::completed: command.result = "{}"; break;
        case RunState::cancelled: command.end = QueueStatus::cancelled; break;
        case RunState::timed_out: command.reason = failure::kTimedOut; break;
        case RunState::terminated: command.reason = failure::kTerminated; break;
        default: break;
    }
    const bool has_failed =
        ended->state != RunState::completed && ended->state != RunState::cancelled;
    if (has_failed) command.end = QueueStatus::failed;
    send(deed, execution.key, command);
    if (deed.random.chance(30)) send(deed, execution.key, command);
}

// By hand: what was claimed long ago, whatever its lease.
void QueueUsers::recover(Deed& deed) {
    const Execution execution = draw_execution(deed, {QueueStatus::claimed});
    send(deed, execution.key,
         RecoverExecution{
             .key = execution.key, .lease = 1s, .claimed_before = deed.world.store_time() - 5min});
}

void QueueUsers::look(Deed& deed) {
    const Execution execution = draw_execution(deed, {});
    deed.world.ask(deed.replica, GetExecution{execution.key.id, execution.key.workspace_id},
                   [](const Result<StoredExecution>&) {});
}

}  // namespace millrace::sim
