#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/loop_runner.hpp"

namespace millrace {

// Calls loops one at a time, on the thread of its caller and in the order in which they were
// started. No time passes here: that is for whoever moves the clock.
class LoopDriver final : public runtime::LoopRunner {
public:
    using Loop = runtime::Loop;

    // Loops of these names are started, but nobody calls them for now.
    std::set<std::string, std::less<>> resting{};
    // Loops of these names are called again at once after a failure. Others wait for the next
    // settle().
    std::set<std::string, std::less<>> retried{};
    // Called before a loop is finished, while it and the others can still be called.
    std::function<void(Loop&)> before_finish{};

    void start(Loop& loop) override { loops_.push_back(&loop); }
    void stop(Loop& loop) override;
    // Meanwhile all others are called, too. A loop that waits for a time to come is ended as well.
    void finish(Loop& loop) override;

    // Calls each loop, and then all of them again while one asks for that. `goes_on` is asked after
    // each call; when it says no, everything stands still. False: they do not come to rest.
    [[nodiscard]] bool settle(const std::function<bool()>& goes_on = [] { return true; });

private:
    enum class Called { quiet, again, interrupted };

    Called call_all(const std::function<bool()>& goes_on);
    bool asks_for_more(const Loop& loop, const Loop::Next& next) const;
    bool is_resting(const Loop& loop) const { return resting.contains(loop.name()); }

    std::vector<Loop*> loops_;
};

// The first loop of that name. There has to be one.
runtime::Loop& loop_named(std::span<runtime::Loop* const> loops, std::string_view name);

// Nothing to do now, and nothing wrong.
inline bool is_idle(const runtime::Loop::Next& next) {
    return !next.at_once && !next.is_pause;
}

}  // namespace millrace
