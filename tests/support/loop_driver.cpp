#include "support/loop_driver.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace millrace {

namespace {

constexpr int kDriverRoundsMax = 100'000;

}  // namespace

void LoopDriver::stop(Loop& loop) {
    loop.stop();
    std::erase(loops_, &loop);
}

void LoopDriver::finish(Loop& loop) {
    if (std::ranges::find(loops_, &loop) == loops_.end()) return;
    if (before_finish) before_finish(loop);
    MILLRACE_CHECK(settle());
    stop(loop);
}

bool LoopDriver::settle(const std::function<bool()>& goes_on) {
    for (int round = 0; round < kDriverRoundsMax; ++round) {
        if (call_all(goes_on) != Called::again) return true;
    }
    return false;
}

// A wake-up from before is answered by the call; one from during the calls asks for another round,
// because what happened may concern any of the loops.
LoopDriver::Called LoopDriver::call_all(const std::function<bool()>& goes_on) {
    for (Loop* loop : loops_) loop->take_wake();
    bool is_more = false;
    for (Loop* loop : loops_) {
        if (is_resting(*loop)) continue;
        if (asks_for_more(*loop, loop->run_once())) is_more = true;
        if (!goes_on()) return Called::interrupted;
    }
    for (Loop* loop : loops_) {
        if (!is_resting(*loop) && loop->take_wake()) is_more = true;
    }
    return is_more ? Called::again : Called::quiet;
}

bool LoopDriver::asks_for_more(const Loop& loop, const Loop::Next& next) const {
    return next.at_once || (next.is_pause && retried.contains(loop.name()));
}

runtime::Loop& loop_named(std::span<runtime::Loop* const> loops, std::string_view name) {
    const auto found = std::ranges::find(loops, name, &runtime::Loop::name);
    MILLRACE_CHECK(found != loops.end());
    return **found;
}

}  // namespace millrace
