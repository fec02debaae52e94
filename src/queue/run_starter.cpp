#include "queue/run_starter.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/limits.hpp"
#include "core/queue/run_payload.hpp"
#include "queue/start_answers.hpp"

namespace millrace {

RunStarter::RunStarter(RemoteContext& context, ReadExecution read_execution,
                       NamespaceRetentions& retentions, RunWatcher& watcher)
    : context_(context),
      read_execution_(std::move(read_execution)),
      retentions_(retentions),
      watcher_(watcher),
      claims_(context.settings.lease) {}

void RunStarter::begin(ClaimedExecution claimed, std::function<void()> over) {
    take_on(std::make_shared<Task>(Task{
        .execution = std::move(claimed.execution),
        .input = std::move(claimed.input),
        .definition = std::move(claimed.definition),
        .rules = claimed.rules,
        .trace = std::move(claimed.trace),
        .over = std::move(over),
    }));
}

void RunStarter::recover(const TakenAttention& taken) {
    take_on(std::make_shared<Task>(Task{
        .execution = taken.execution,
        .definition = taken.run.definition,
        .rules = taken.run.rules,
        .is_recovery = true,
        .has_input = false,
        .trace =
            RoundTrace::begin_recovery(context_.settings.tracer, context_.clock, taken.execution),
    }));
}

// A newer claim on the same execution takes the place of an older one, of which only the end was
// not heard yet.
void RunStarter::take_on(const TaskPtr& task) {
    const Execution& execution = task->execution;
    claims_.hold(execution.key, execution.claim.token,
                 execution.due_at.value_or(context_.clock.now()));
    TaskPtr& place = tasks_[execution.key];
    if (const TaskPtr older = std::exchange(place, task)) end(*older);
    if (context_.find_target(execution.target) == nullptr) {
        answered(task, start_answers::target_not_found(execution.target, task->is_recovery));
    } else if (task->definition == nullptr) {
        answered(task, start_answers::definition_not_found(task->is_recovery));
    } else {
        enqueue(task);
    }
}

void RunStarter::enqueue(const TaskPtr& task) {
    if (is_stopped_) return record(task, start_answers::stopping());
    task->stage = Stage::waiting;
    Line& line = lines_[context_.find_target(task->execution.target)->name()];
    (task->is_recovery ? line.recoveries : line.starts).push_back(task);
}

void RunStarter::enqueue_after(const TaskPtr& task, Duration pause) {
    task->stage = Stage::pausing;
    context_.agenda->at(context_.clock.now() + pause, [this, task] {
        if (is_current(task) && task->stage == Stage::pausing) enqueue(task);
    });
}

bool RunStarter::is_current(const TaskPtr& task) const {
    const auto found = tasks_.find(task->execution.key);
    return found != tasks_.end() && found->second == task;
}

void RunStarter::drop(const TaskPtr& task) {
    if (task->trace) task->trace->end();
    if (!is_current(task)) return;
    claims_.drop(task->execution.key);
    tasks_.erase(task->execution.key);
    end(*task);
}

void RunStarter::end(Task& task) {
    if (const std::function<void()> over = std::exchange(task.over, {})) over();
}

bool RunStarter::is_starting() const {
    return std::ranges::any_of(
        context_.targets, [](const auto& target) { return target.second.is_busy(Lane::start); });
}

std::size_t RunStarter::waiting(const std::string& target) const {
    const auto found = lines_.find(target);
    if (found == lines_.end()) return 0;
    return found->second.recoveries.size() + found->second.starts.size();
}

void RunStarter::send_recoveries(Instant now) {
    for (auto& [name, line] : lines_) {
        RemoteTarget& target = *context_.find_target(name);
        send(target, line.recoveries, now, [&](const TaskPtr& task) { ask_for_run(task, target); });
    }
}

void RunStarter::send_starts(Instant now) {
    for (auto& [name, line] : lines_) {
        RemoteTarget& target = *context_.find_target(name);
        send(target, line.starts, now, [&](const TaskPtr& task) { send_start(task, target); });
    }
}

template <class Call>
void RunStarter::send(RemoteTarget& target, std::deque<TaskPtr>& line, Instant now,
                      const Call& call) {
    if (target.paused_until(now)) return let_go(line, start_answers::target_away(target.name()));
    while (!line.empty()) {
        const TaskPtr task = line.front();
        const bool is_waiting = is_current(task) && task->stage == Stage::waiting;
        if (is_waiting && can_begin(*task, now)) {
            if (context_.settings.is_sequential && is_starting()) return;
            if (!target.enter(Lane::start, now)) return;
            task->stage = Stage::calling;
            call(task);
        } else if (is_waiting) {
            task->stage = Stage::renewing;
        }
        line.pop_front();
    }
}

// A call may take effect until its deadline: by then nobody else may have the claim.
bool RunStarter::can_begin(const Task& task, Instant now) const {
    return claims_.lasts(task.execution.key, now + context_.settings.call_timeout);
}

void RunStarter::send_start(const TaskPtr& task, RemoteTarget& target) {
    const Execution& execution = task->execution;
    context_.listener.on_start_sent(execution);
    const StartRun request{
        .execution = execution.key,
        .definition = execution.definition,
        .spec = task->definition->executor,
        .payload = run_payload(execution, *task->definition, task->input),
        .trace_parent = task->trace ? task->trace->start_sent() : execution.trace_parent,
    };
    target.executor().start(
        request, context_.settings.call_timeout,
        context_.handing_to<StartAnswer>([this, task, &target](const StartAnswer& answer) {
            start_answered(task, target, answer);
        }));
}

// A target that leaves starts in doubt is not to get more of them for a while either.
void RunStarter::start_answered(const TaskPtr& task, RemoteTarget& target,
                                const StartAnswer& answer) {
    target.leave(Lane::start);
    if (task->trace) task->trace->start_answered(answer);
    if (answer.outcome == StartOutcome::unreachable || answer.outcome == StartOutcome::unknown) {
        target.not_reached(context_.clock.now());
    } else {
        target.reached();
    }
    if (is_current(task)) answered(task, answer);
}

void RunStarter::renew_claims(Instant now) {
    for (;;) {
        std::vector<RenewClaims::Held> due = claims_.take_due(now, limits::kBatchItemsMax);
        if (due.empty()) return;
        const Instant lease_until = now + context_.settings.lease;
        RenewClaims command{.claims = due, .lease = context_.settings.lease};
        context_.submit(
            std::move(command), RemoteContext::Urgency::at_once,
            [this, due = std::move(due), lease_until](const Result<RenewedClaims>& renewed) {
                claims_renewed(due, lease_until, renewed);
            });
    }
}

void RunStarter::claims_renewed(const std::vector<RenewClaims::Held>& claims, Instant lease_until,
                                const Result<RenewedClaims>& renewed) {
    if (!renewed) {
        claims_.renew_again(claims, context_.clock.now() + kPauseAfterFailure);
        return;
    }
    claims_.renewed(claims, lease_until);
    const std::set<ExecutionKey> lost(renewed->lost.begin(), renewed->lost.end());
    for (const RenewClaims::Held& claim : claims) {
        const auto found = tasks_.find(claim.key);
        if (found == tasks_.end()) continue;
        const TaskPtr task = found->second;
        if (task->execution.claim.token != claim.token) continue;
        if (!lost.contains(claim.key)) {
            if (task->stage == Stage::renewing) enqueue(task);
        } else if (task->stage != Stage::recording) {
            // What is written down is not ours any more either: the answer to that tells more.
            drop(task);
        }
    }
}

void RunStarter::stop() {
    is_stopped_ = true;
    for (auto& [name, line] : lines_) {
        let_go(line.recoveries, start_answers::stopping());
        let_go(line.starts, start_answers::stopping());
    }
}

}  // namespace millrace
