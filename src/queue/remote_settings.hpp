#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "core/queue/look_pace.hpp"
#include "core/queue/transitions.hpp"
#include "executor/breaker.hpp"
#include "observe/tracer.hpp"

namespace millrace {

// How a process deals with executions that run elsewhere. Each figure with its reason.
struct RemoteSettings {
    std::string owner{};                        // This replica, as claims name it.
    Duration lease = std::chrono::seconds{30};  // Of claims and looks: others wait so long.
    // Whose lease is over may still come back: its claims are stale so long after they were taken.
    Duration stale_after{};
    // Of one call. Shorter than what is left of a lease when it is sent, so that nobody else has
    // taken over while it can still take effect: half a lease at most, which is what a claim has
    // when it is renewed.
    Duration call_timeout = std::chrono::seconds{10};
    std::size_t parallel_calls = 64;  // Starts under way at a target; 1: one after the other.
    bool is_sequential = false;       // No two starts at once, whatever their targets.
    std::size_t parallel_looks = 64;  // The same for questions about runs, and cancellations.
    // Claims of a target that wait here; more are not taken on for a while. It is many, because
    // those that are put off are written twice.
    std::size_t starts_waiting_max = 10'000;
    std::size_t looks_waiting_max = 1'000;
    // How long an answer waits for others to be written down with it, while calls are under way.
    Duration gather = std::chrono::milliseconds{20};
    std::size_t tracked_max = 256;  // Runs whose end this process waits for: a stream each.
    Duration track_poll = std::chrono::seconds{30};  // One wait; then its lease is renewed.
    // How often the target is asked which of the others have ended, and from how far back: the
    // index that answers that lags.
    Duration list_interval = std::chrono::seconds{5};
    Duration list_overlap = std::chrono::seconds{20};
    // Of looks at each of them: where those answers come, for what they miss; else, for all ends.
    LookPace pace_listed{.shortest = std::chrono::seconds{30}, .longest = std::chrono::minutes{2}};
    LookPace pace{};
    Duration retention_kept = std::chrono::hours{1};
    // A run that is not found is given up after so many looks in so long a time: less might be a
    // target that was set to the wrong cluster for a moment.
    int missing_looks = 5;
    Duration missing_for = std::chrono::minutes{10};
    Breaker::Limits breaker{};
    DispatchRules rules{};  // Of all; workspaces and definitions may say otherwise.
    const observe::Tracer* tracer = nullptr;  // Null: no span tells of anything.
};

}  // namespace millrace
