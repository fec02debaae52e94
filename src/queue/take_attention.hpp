#pragma once

#include "commit/command.hpp"
#include "queue/claimed_run.hpp"

namespace millrace {

// Takes an active execution on that somebody has to look at, so that nobody else does until then.
// One that is CLAIMED is recovered: the lease of its owner is over.
struct TakeAttention {
    static constexpr std::string_view kName = "execution.take_attention";

    ExecutionKey key{};
    std::string owner{};
    Duration lease{};
    DispatchRules rules{};
    // A claim that has an owner is left to it until so long after it was taken, whatever its lease.
    Duration stale_after{};
};

enum class Attention {
    none,            // Nothing: it is over, or somebody else is at it, or it is not due yet.
    recover_start,   // Ask whether its start has happened; if not, start it again.
    pass_cancel_on,  // Its run is to be cancelled, or terminated when `is_forced`.
    describe,        // Ask how its run goes.
    failed,          // It was recovered too often.
};

struct TakenAttention {
    Attention attention = Attention::none;
    Execution execution{};  // As it is now; without a key when there is none.
    ClaimedRun run{};
};

Footprint footprint(const TakeAttention& command);
Result<Decision<TakenAttention>> decide(const TakeAttention& command, const WorkingSet& rows,
                                        Instant now);

}  // namespace millrace
