#include "node/loop_set.hpp"

#include <algorithm>

#include "node/sleep_max.hpp"

namespace millrace {

using runtime::Loop;

Loop& LoopSet::add(std::string name, std::function<Round()> run_once, Options options) {
    LoopHealth& health = healths_.emplace_back(
        name, log_, options.is_a_help ? silent_helps_ : unhealthy_loops_, random_, options.pauses);
    const bool is_needed = options.is_needed;
    auto run = [this, &health, run_once = std::move(run_once), options = std::move(options)] {
        return next_after(run_once(), health, options);
    };
    return list(loops_.emplace_back(std::move(name), std::move(run)), is_needed);
}

Loop& LoopSet::add_beat(std::string name, Duration interval, std::function<void()> beat,
                        bool is_needed) {
    auto run = [beat = std::move(beat), interval]() -> Loop::Next {
        beat();
        return {.after = interval};
    };
    return list(loops_.emplace_back(std::move(name), std::move(run)), is_needed);
}

Loop& LoopSet::list(Loop& loop, bool is_needed) {
    if (is_needed) needed_.push_back(&loop);
    return loop;
}

Loop::Next LoopSet::next_after(const Round& round, LoopHealth& health,
                               const Options& options) const {
    if (round.unhealthy) {
        return health.failed(options.failed_part ? options.failed_part() : std::string_view());
    }
    if (round.progressed || !options.is_store_asked_by_progress) health.succeeded();
    return round.progressed ? Loop::Next{.at_once = true} : until(round.next_at);
}

// What is kept back for good ends in the year 9999: no clock sleeps that long.
Loop::Next LoopSet::until(std::optional<Instant> at) const {
    if (!at) return {};
    return {.after = std::clamp(*at - clock_.now(), Duration::zero(), kSleepMax)};
}

void wake_one(std::span<Loop* const> loops) {
    for (Loop* loop : loops) {
        if (loop->wake_if_idle()) return;
    }
    for (Loop* loop : loops) loop->wake();
}

}  // namespace millrace
