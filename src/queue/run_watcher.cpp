#include "queue/run_watcher.hpp"

#include <algorithm>
#include <utility>

namespace millrace {

namespace {

constexpr std::size_t kWaitingPerCall = 4;  // More looks than that wait elsewhere.
constexpr const char* kCancelReason = "Its execution was cancelled.";

}  // namespace

RunWatcher::RunWatcher(RemoteContext& context)
    : context_(context),
      missing_(context.settings),
      lister_(context, left_, [this](const RunPtr& run) { nominate(run); }) {}

void RunWatcher::attend(const TakenAttention& taken) {
    const RunPtr run = known_run(taken);
    const Instant now = context_.clock.now();
    RemoteTarget* target = context_.find_target(run->execution.target);
    if (target == nullptr) {
        context_.listener.on_look_failed(
            run->execution, {.code = "NOT_FOUND", .message = "There is no such target."});
        return note(run, now + context_.settings.pace.longest);
    }
    if (!run->is_namespace_known) {
        context_.listener.on_look_failed(
            run->execution,
            {.code = "NOT_FOUND", .message = "Its definition cannot be read, nor its namespace."});
        return note(run, now + context_.settings.pace.longest);
    }
    const Look look{.run = run, .passes_cancel_on = taken.attention == Attention::pass_cancel_on};
    const bool is_crowded =
        lines_[target->name()].size() >= kWaitingPerCall * context_.settings.parallel_looks;
    if (is_crowded && !look.passes_cancel_on) return note_later(run, *target);
    enqueue(*target, look);
}

// One that is tracked, or was left here, goes on being the same.
RunPtr RunWatcher::known_run(const TakenAttention& taken) {
    const ExecutionId id = taken.execution.key.id;
    const auto found = tracked_.find(id);
    RunPtr run = found != tracked_.end() ? found->second : left_.find(id);
    left_.forget(id);
    const bool is_new = !run;
    if (is_new) run = std::make_shared<WatchedRun>();
    run->execution = taken.execution;
    if (taken.run.definition) run->name_space = taken.run.definition->executor.name_space;
    if (is_new) run->is_namespace_known = taken.run.definition != nullptr;
    return run;
}

// Cancellations first: somebody waits for them.
void RunWatcher::enqueue(RemoteTarget& target, const Look& look) {
    if (is_stopped_) return;
    std::deque<Look>& line = lines_[target.name()];
    if (look.passes_cancel_on) {
        line.push_front(look);
    } else {
        line.push_back(look);
    }
}

void RunWatcher::nominate(const RunPtr& run) {
    RemoteTarget* target = context_.find_target(run->execution.target);
    left_.forget(run->execution.key.id);
    if (target != nullptr) enqueue(*target, {.run = run, .is_nominated = true});
}

std::size_t RunWatcher::waiting() const {
    std::size_t count = 0;
    for (const auto& [target, line] : lines_) count += line.size();
    return count;
}

void RunWatcher::send_looks(Instant now) {
    for (auto& [name, line] : lines_) {
        RemoteTarget& target = *context_.find_target(name);
        if (target.paused_until(now)) {
            for (const Look& look : std::exchange(line, {})) postpone(look, target);
        }
        while (!line.empty() && target.enter(Lane::look, now)) {
            const Look look = std::move(line.front());
            line.pop_front();
            if (look.passes_cancel_on) {
                pass_cancel_on(look, target);
            } else {
                describe(look, look.run->ref(), target);
            }
        }
    }
}

void RunWatcher::list_closed(Instant now) {
    left_.forget_until(now);
    if (!is_stopped_) lister_.run(now);
}

void RunWatcher::stop() {
    is_stopped_ = true;
    lines_.clear();
}

void RunWatcher::pass_cancel_on(const Look& look, RemoteTarget& target) {
    const Execution& execution = look.run->execution;
    target.executor().cancel(look.run->ref(), kCancelReason, execution.is_forced,
                             context_.settings.call_timeout,
                             context_.handing_to<CallResult<bool>>(
                                 [this, look, &target](const CallResult<bool>& result) {
                                     cancel_passed_on(look, target, result);
                                 }));
}

// Then it may be over already.
void RunWatcher::cancel_passed_on(const Look& look, RemoteTarget& target,
                                  const CallResult<bool>& result) {
    target.note(result, context_.clock.now());
    if (result.answer) {
        if (!look.run->is_cancel_told) context_.listener.on_cancel_passed_on(look.run->execution);
        look.run->is_cancel_told = true;
    } else if (result.failure.is_unreachable || is_stopped_) {
        target.leave(Lane::look);
        return failed(look, target, result.failure);
    } else {
        context_.listener.on_look_failed(look.run->execution, result.failure);
    }
    describe(look, look.run->ref(), target);
}

void RunWatcher::describe(const Look& look, const RunRef& run, RemoteTarget& target) {
    target.executor().describe(look.run->execution.key, run, context_.settings.call_timeout,
                               context_.handing_to<CallResult<RunReport>>(
                                   [this, look, run, &target](const CallResult<RunReport>& result) {
                                       described(look, run, target, result);
                                   }));
}

void RunWatcher::described(const Look& look, const RunRef& run, RemoteTarget& target,
                           const CallResult<RunReport>& result) {
    target.note(result, context_.clock.now());
    const bool is_missing = result.answer && !is_there(*result.answer);
    if (is_missing && !run.run_id.empty() && !is_stopped_) {
        // An early one of those that follow each other may be forgotten, the last one not.
        RunRef latest = run;
        latest.run_id.clear();
        return describe(look, latest, target);
    }
    target.leave(Lane::look);
    if (!result.answer) return failed(look, target, result.failure);
    if (is_missing) return not_found(look.run);
    missing_.forget(look.run->execution.key.id);
    if (result.answer->state != RunState::running) return complete(look.run, *result.answer);
    if (note_run(look.run, *result.answer, target)) return;
    goes_on(look, target);
}

bool RunWatcher::note_run(const RunPtr& run, const RunReport& report, RemoteTarget& target) {
    const std::string before = std::exchange(run->execution.run_id, report.run_id);
    const bool is_another = !before.empty() && before != report.run_id;
    if (!is_another || !run->execution.cancel_requested_at || is_stopped_) return false;
    enqueue(target, {.run = run, .passes_cancel_on = true});
    return true;
}

void RunWatcher::failed(const Look& look, RemoteTarget& target, const CallFailure& failure) {
    context_.listener.on_look_failed(look.run->execution, failure);
    postpone(look, target);
}

// A nominated one is due when it was before.
void RunWatcher::postpone(const Look& look, const RemoteTarget& target) {
    if (look.is_nominated) {
        remember(look.run, target, context_.clock.now() + context_.settings.pace_listed.longest);
    } else {
        note_later(look.run, target);
    }
}

void RunWatcher::goes_on(const Look& look, RemoteTarget& target) {
    if (is_stopped_) return;
    if (look.is_nominated) return postpone(look, target);
    const bool is_tracked = tracked_.contains(look.run->execution.key.id);
    if (!is_tracked && !has_free_place()) {
        turned_away_ = std::min(turned_away_ + 1, context_.settings.tracked_max);
        return leave(look.run, target);
    }
    note(look.run, context_.clock.now() + context_.settings.track_poll + context_.settings.lease);
    if (!is_tracked) track(look.run, target);
}

}  // namespace millrace
