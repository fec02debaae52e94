#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/queue/execution.hpp"
#include "core/queue/workspace.hpp"
#include "core/variables/variables.hpp"

namespace millrace {

// What is left of a workspace's rate: refilled as time passes, one for each item that is let in.
struct RateAllowance {
    double tokens = 0;
    std::optional<Instant> counted_at{};  // Empty: never used, so it is full.

    friend bool operator==(const RateAllowance&, const RateAllowance&) = default;
};

// How a workspace stands in the competition with others.
struct LineState {
    double virtual_time = 0;  // What it got so far, divided by its weight.
    bool is_runnable = false;
    RateAllowance rate{};

    friend bool operator==(const LineState&, const LineState&) = default;
};

struct WaitingExecution {
    Execution execution{};
    Variables input{};
    std::int64_t active_of_key = 0;       // How many of its concurrency key have a slot.
    std::optional<Instance> instance{};   // Of one that resumes; locked.
    bool is_instance_unreadable = false;  // It resumes, and the row of its instance is corrupt.
};

// One workspace as an admission sees it: nobody else lets anything in there meanwhile.
struct WorkspaceLine {
    Workspace workspace{};
    LineState state{};
    std::int64_t active = 0;                // Slots that are taken.
    std::vector<WaitingExecution> ready{};  // The first in line, as many as were asked for.
    std::int64_t ready_count = 0;           // All that are ready, counted to a bound.
};

// What one round has to give, to all lines.
struct AdmissionRound {
    std::int32_t share = 1;       // What each line may have, before its weight.
    std::int32_t items_left = 1;  // What all of them together may still have.
    // Of remote executors that are not to be asked now.
    std::set<std::string, std::less<>> targets_closed{};
};

// How many items of a line are worth reading, and can be let in at most.
struct LineQuota {
    std::int32_t count = 0;
    bool is_full = false;                 // No slot is free.
    std::optional<Instant> rate_until{};  // No rate is left before then.

    friend bool operator==(const LineQuota&, const LineQuota&) = default;
};

LineQuota quota_of(const WorkspaceLimits& limits, const LineState& state, std::int64_t active,
                   const AdmissionRound& round, Instant now);

// What becomes of the items of a line. Places in `WorkspaceLine::ready`.
struct LineDecision {
    std::vector<std::size_t> taken{};
    std::vector<std::size_t> parked{};     // Their concurrency key is full.
    std::vector<std::size_t> postponed{};  // Their target is closed.
    std::vector<std::size_t> expired{};    // Their deadline has passed.
    LineState state{};
    LineQuota left{};       // What more it might have, from another round.
    bool has_more = false;  // There are more items than those above.
};

LineDecision admit(const WorkspaceLine& line, const WorkspaceLimits& limits,
                   const AdmissionRound& round, Instant now);

}  // namespace millrace
