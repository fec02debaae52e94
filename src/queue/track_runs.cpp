#include "queue/run_watcher.hpp"

namespace millrace {

namespace {

// An executor that waits less is not worth a place.
constexpr Duration kPollLeast = std::chrono::seconds{1};

}  // namespace

bool RunWatcher::has_free_place() const {
    return tracked_.size() + reserved_ < context_.settings.tracked_max;
}

bool RunWatcher::reserve_place() {
    if (!has_free_place()) return false;
    reserved_ += 1;
    return true;
}

void RunWatcher::give_place_back() {
    reserved_ -= 1;
}

Duration RunWatcher::first_look_after(const Execution& execution, const std::string& name_space,
                                      bool has_place) const {
    const RemoteSettings& settings = context_.settings;
    if (has_place) return settings.track_poll + settings.lease;
    return look_after(pace_at(execution.target, name_space), Duration::zero(), execution.key.id);
}

const LookPace& RunWatcher::pace_at(const std::string& target,
                                    const std::string& name_space) const {
    const RunPlace place{target_name(target), name_space};
    return lister_.covers(place, context_.clock.now()) ? context_.settings.pace_listed
                                                       : context_.settings.pace;
}

void RunWatcher::follow(const Execution& execution, const std::string& name_space, bool has_place) {
    if (has_place) give_place_back();
    RemoteTarget* target = context_.find_target(execution.target);
    if (is_stopped_ || target == nullptr || execution.queue_status != QueueStatus::dispatched) {
        return;
    }
    const auto run =
        std::make_shared<WatchedRun>(WatchedRun{.execution = execution, .name_space = name_space});
    if (has_place) return track(run, *target);
    remember(run, *target, execution.due_at.value_or(context_.clock.now()));
}

void RunWatcher::track(const RunPtr& run, RemoteTarget& target) {
    tracked_[run->execution.key.id] = run;
    if (target.is_reachable()) return poll(run, target);
    tracked_.erase(run->execution.key.id);
    note_later(run, target);
}

void RunWatcher::poll(const RunPtr& run, RemoteTarget& target) {
    target.executor().await_end(run->execution.key, run->ref(), context_.settings.track_poll,
                                context_.handing_to<CallResult<RunReport>>(
                                    [this, run, &target, began_at = context_.clock.now()](
                                        const CallResult<RunReport>& result) {
                                        poll_ended(run, target, began_at, result);
                                    }));
}

void RunWatcher::poll_ended(const RunPtr& run, RemoteTarget& target, Instant began_at,
                            const CallResult<RunReport>& result) {
    target.note(result, context_.clock.now());
    const auto place = tracked_.find(run->execution.key.id);
    const bool is_ours = place != tracked_.end() && place->second == run;
    if (!is_ours) return;

    const bool is_running =
        result.answer && is_there(*result.answer) && result.answer->state == RunState::running;
    if (is_running) note_run(run, *result.answer, target);
    const bool is_worth_it = is_running && !is_stopped_ && !run->is_over && target.is_reachable();
    if (is_worth_it && !is_to_yield(began_at)) return poll_again(run, target);
    tracked_.erase(place);
    if (is_stopped_ || run->is_over) return;
    if (is_running) return leave(run, target);
    if (!result.answer) {
        context_.listener.on_look_failed(run->execution, result.failure);
        return note_later(run, target);
    }
    if (!is_there(*result.answer)) return enqueue(target, {.run = run});
    complete(run, *result.answer);
}

// Somebody else may have told of its end meanwhile. Whatever becomes of the note, the wait goes on:
// should others look too, there is no harm in that.
void RunWatcher::poll_again(const RunPtr& run, RemoteTarget& target) {
    const Instant due_at =
        context_.clock.now() + context_.settings.track_poll + context_.settings.lease;
    note(run, due_at, [this, run, &target] {
        const auto place = tracked_.find(run->execution.key.id);
        if (place == tracked_.end() || place->second != run) return;
        if (!is_stopped_ && !run->is_over) return poll(run, target);
        tracked_.erase(place);
    });
}

// Others want its place: runs that began later are more likely to end soon.
bool RunWatcher::is_to_yield(Instant began_at) {
    if (context_.clock.now() - began_at < kPollLeast) return true;
    if (turned_away_ == 0) return false;
    turned_away_ -= 1;
    return true;
}

}  // namespace millrace
