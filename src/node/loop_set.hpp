#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/round.hpp"
#include "node/loop_health.hpp"
#include "runtime/loop.hpp"

namespace millrace {

// The loops of a node, in the order in which they start: the rounds of its passive parts, each with
// its health. Nothing runs by itself here.
class LoopSet {
public:
    struct Options {
        runtime::Backoff::Limits pauses{};
        bool is_needed = true;   // Else nobody is told of it, and it never runs.
        bool is_a_help = false;  // A server without it is still fit for work.
        // A round without progress has not asked the store, so it does not tell how the store is.
        bool is_store_asked_by_progress = false;
        std::function<std::string_view()> failed_part{};  // For the log.
    };

    LoopSet(const Clock& clock, Random& random, observe::Log& log)
        : clock_(clock), random_(random), log_(log) {}

    // `run_once` is not called before somebody runs the loop, so it may use parts that are made
    // later. The loop stays where it is for as long as the set lives.
    runtime::Loop& add(std::string name, std::function<Round()> run_once, Options options);
    runtime::Loop& add(std::string name, std::function<Round()> run_once) {
        return add(std::move(name), std::move(run_once), Options());
    }
    // For what does its work on a steady beat, whatever comes of it.
    runtime::Loop& add_beat(std::string name, Duration interval, std::function<void()> beat,
                            bool is_needed = true);

    std::span<runtime::Loop* const> all() const { return needed_; }

    // Whether the store answered every loop when it last asked.
    bool is_healthy() const { return unhealthy_loops_ == 0; }

private:
    runtime::Loop& list(runtime::Loop& loop, bool is_needed);
    runtime::Loop::Next next_after(const Round& round, LoopHealth& health,
                                   const Options& options) const;
    runtime::Loop::Next until(std::optional<Instant> at) const;

    const Clock& clock_;
    Random& random_;
    observe::Log& log_;
    std::atomic<int> unhealthy_loops_ = 0;
    std::atomic<int> silent_helps_ = 0;
    std::deque<LoopHealth> healths_;
    std::deque<runtime::Loop> loops_;
    std::vector<runtime::Loop*> needed_;
};

// One of several loops that share their work. An idle one takes it at once; when none is, each
// looks again before it sleeps.
void wake_one(std::span<runtime::Loop* const> loops);

}  // namespace millrace
