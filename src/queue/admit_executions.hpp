#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/trace_context.hpp"
#include "commit/command.hpp"
#include "core/queue/transitions.hpp"

namespace millrace {

class ItemTrace;

// Lets executions in, for all workspaces at once: takes slots, starts what runs here and claims
// what runs elsewhere for its owner, in one transaction. At most one of these may wait for its
// commit in a process.
struct AdmitExecutions {
    static constexpr std::string_view kName = "queue.admit";
    static constexpr bool kIsDuty = true;

    AdmissionRequest request{};  // `quota` is filled in.
    std::string owner{};         // Who will start what runs elsewhere,
    Duration lease{};            // and for how long nobody else does.
    Plans plans{};
    std::int32_t items_max = 100;  // Let in at once, over all workspaces.
    DispatchRules rules{};
    Instant asked_at{};           // For a first guess at what the rates allow.
    bool records_traces = false;  // Spans tell of what runs here, where its request is traced.
    TraceContext trace{};         // Recorded: where what has no trace goes on, see RoundTrace.
    // Targets that are not to be asked before these times: what is theirs waits until then, without
    // a slot.
    std::map<std::string, Instant> targets_closed{};
    // Their starts bring about what the store refuses to keep: they fail, others go on.
    std::vector<ExecutionKey> poisoned{};
    // Told which ones each try of the batch is about to let in: should the store refuse them, one
    // of them is to blame.
    std::function<void(std::vector<ExecutionKey>)> on_tried{};
};

// An execution that the caller has to start elsewhere, under the token of its claim.
struct ClaimedExecution {
    Execution execution{};
    Variables input{};
    DefinitionPtr definition{};
    DispatchRules rules{};  // With the attempts that its workspace and definition allow.
    std::shared_ptr<ItemTrace> trace{};  // Null when no span tells of it.
};

struct WorkspaceAtCapacity {
    WorkspaceId workspace_id{};
    std::int64_t active = 0;
    std::int32_t limit = 0;
};

// Items wait there, and its rate allows none before then.
struct WorkspaceAtRate {
    WorkspaceId workspace_id{};
    Instant until{};
};

struct AdmittedExecutions {
    std::vector<ClaimedExecution> claimed{};
    std::vector<Execution> dispatched{};  // Running here, or over already.
    std::vector<Execution> failed{};      // Never started.
    std::vector<ConcurrencyKey> parked_keys{};
    std::int64_t parked = 0;
    std::int64_t postponed = 0;    // Their target is closed.
    std::int64_t at_capacity = 0;  // Passed over because their workspace is full.
    std::vector<WorkspaceAtCapacity> workspaces_at_capacity{};
    // Nothing more can be let in there until something comes, ends or changes: whoever commits that
    // may not have seen this, so they are worth a second look.
    std::vector<WorkspaceId> fell_asleep{};
    std::vector<WorkspaceId> still_asleep{};  // As in AdmissionRows.
    WorkspaceId lines_looked_at{};
    ConcurrencyKey keys_looked_at{};
    std::vector<WorkspaceAtRate> workspaces_at_rate{};  // To be woken then.
    bool has_more = false;                              // Another round would let more in.
    // Of the lines that compete: the lowest that was seen, for the mark.
    std::optional<double> virtual_time_min{};
    Instant decided_at{};  // When the lines were locked and read.

    // Everything that was ready and is not any more.
    std::int64_t processed() const {
        return static_cast<std::int64_t>(claimed.size() + dispatched.size() + failed.size());
    }
};

Footprint footprint(const AdmitExecutions& command);
Result<Decision<AdmittedExecutions>> decide(const AdmitExecutions& command, const WorkingSet& rows,
                                            Instant now);

// What a line may have in a round, before its weight.
std::int32_t share_of_line(std::int32_t items_max, std::size_t lines);

}  // namespace millrace
