#include <algorithm>
#include <utility>

#include "queue/kept_message.hpp"
#include "queue/run_watcher.hpp"

namespace millrace {

namespace {

CompleteExecution end_of(const WatchedRun& run, const RunReport& report) {
    CompleteExecution end{
        .key = run.execution.key,
        .message = kept_message(report.message),
        .run_id = report.run_id,
    };
    const auto failed_with = [&](std::string_view reason) {
        end.end = QueueStatus::failed;
        end.reason = reason;
    };
    switch (report.state) {
        case RunState::completed:
            end.end = QueueStatus::completed;
            end.result = report.result;
            break;
        case RunState::cancelled: end.end = QueueStatus::cancelled; break;
        case RunState::running:
        case RunState::failed: failed_with(failure::kWorkflowFailed); break;
        case RunState::timed_out: failed_with(failure::kTimedOut); break;
        case RunState::terminated: failed_with(failure::kTerminated); break;
    }
    return end;
}

}  // namespace

// Should this fail, the run is due when its lease is over, which is soon.
void RunWatcher::note(const RunPtr& run, Instant due_at, const std::function<void()>& then) {
    const Execution& execution = run->execution;
    NoteAttention command{
        .key = execution.key,
        .run_id = execution.run_id,
        .due_at = due_at,
        .cancel_seen = execution.cancel_requested_at,
        .is_force_seen = execution.is_forced,
    };
    context_.submit(std::move(command), RemoteContext::Urgency::can_wait,
                    [this, run, then](const Result<NotedAttention>& noted) {
                        if (noted && !noted->is_noted) forget(run);
                        if (then) then();
                    });
}

void RunWatcher::note_later(const RunPtr& run, const RemoteTarget& target) {
    const Instant now = context_.clock.now();
    note(run,
         std::max(now + context_.settings.pace.shortest, target.paused_until(now).value_or(now)));
}

void RunWatcher::leave(const RunPtr& run, const RemoteTarget& target) {
    const Execution& execution = run->execution;
    const Instant now = context_.clock.now();
    const Instant since =
        execution.cancel_requested_at.value_or(execution.dispatched_at.value_or(now));
    const Instant due_at =
        now + look_after(pace_at(target.name(), run->name_space), now - since, execution.key.id);
    note(run, due_at);
    remember(run, target, due_at);
}

// Somebody looks at it then, and may be another process.
void RunWatcher::remember(const RunPtr& run, const RemoteTarget& target, Instant due_at) {
    left_.add(run, {target.name(), run->name_space}, due_at + context_.settings.lease);
}

// It did start. So either its namespace has forgotten it, or it is another cluster or namespace
// that is asked by now.
void RunWatcher::not_found(const RunPtr& run) {
    const Instant now = context_.clock.now();
    if (!missing_.add(run->execution.key.id, now)) {
        return note(run, now + context_.settings.pace.longest);
    }
    submit_end(run, {.key = run->execution.key,
                     .end = QueueStatus::failed,
                     .reason = std::string(failure::kRunNotFound),
                     .message = "Its run is not known to its executor any more: it has ended and "
                                "is forgotten, or the target or namespace is another one now."});
}

void RunWatcher::complete(const RunPtr& run, const RunReport& report) {
    submit_end(run, end_of(*run, report));
}

// It may be heard of twice, by a wait and by a look.
void RunWatcher::submit_end(const RunPtr& run, const CompleteExecution& command) {
    if (std::exchange(run->is_ending, true)) return;
    context_.submit_until_known(command, [this, run, command](const Result<Execution>& result) {
        end_answered(run, command, result);
    });
}

void RunWatcher::end_answered(const RunPtr& run, const CompleteExecution& command,
                              const Result<Execution>& result) {
    run->is_ending = false;
    if (result) {
        forget(run);
        return context_.listener.on_run_ended(*result);
    }
    const ErrorCode code = result.error().code;
    // Gone, or somebody else has told of another end before.
    if (code == ErrorCode::conflict || code == ErrorCode::not_found) return forget(run);
    const bool is_unfit = code == ErrorCode::too_large || code == ErrorCode::data_refused;
    if (is_unfit && !command.result.empty()) {
        CompleteExecution without = command;
        without.result.clear();
        without.message = "Its result could not be kept: " + result.error().detail;
        return submit_end(run, without);
    }
    context_.listener.on_trouble(run->execution, result.error());
}

void RunWatcher::forget(const RunPtr& run) {
    run->is_over = true;
    left_.forget(run->execution.key.id);
    missing_.forget(run->execution.key.id);
}

}  // namespace millrace
