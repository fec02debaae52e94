#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/queue/admission.hpp"
#include "core/variables/variables.hpp"
#include "store/admission_rows.hpp"
#include "store/listing.hpp"

namespace millrace {

// An execution with what is large.
struct StoredExecution {
    Execution execution{};
    Variables input{};
    std::string result{};  // JSON text of a remote run; empty for none.

    friend bool operator==(const StoredExecution&, const StoredExecution&) = default;
};

struct ExecutionFilter {
    WorkspaceId workspace_id{};
    std::vector<QueueStatus> statuses{};  // Any of them; none: all.
    std::optional<std::string> definition_id{};
    std::optional<std::string> concurrency_key{};
    std::optional<std::string> error_reason{};
    std::optional<std::string> requested_by{};
    std::optional<Instant> created_from{};    // Then or later.
    std::optional<Instant> created_before{};  // Earlier.
    // FAILED ones that nobody has dismissed and that were not retried.
    bool only_dead_letters = false;
    bool oldest_first = false;
};

// How many open executions a workspace has, counted to kTotalExactMax each.
struct QueueCounts {
    std::int64_t ready = 0;
    std::int64_t parked = 0;
    std::int64_t due = 0;
    std::int64_t claimed = 0;
    std::int64_t dispatched = 0;
    bool is_capped = false;                   // At least one of them is larger.
    std::optional<Instant> oldest_waiting{};  // When the oldest that is not let in was made.

    friend bool operator==(const QueueCounts&, const QueueCounts&) = default;
};

struct QueueOverview {
    Workspace workspace{};
    LineState line{};
    QueueCounts counts{};
};

// Dead letters that look alike.
struct DeadLetterGroup {
    std::string definition_id{};
    std::string reason{};
    std::string message{};  // Of the latest one.
    std::int64_t count = 0;
    Instant first_at{};
    Instant last_at{};
    ExecutionId latest{};

    friend bool operator==(const DeadLetterGroup&, const DeadLetterGroup&) = default;
};

// What stands before an execution.
struct QueuePosition {
    std::int64_t before = 0;  // Ready ones of its workspace with a lower rank, counted to a bound.
    bool is_capped = false;

    friend bool operator==(const QueuePosition&, const QueuePosition&) = default;
};

// What has to be looked at: claims whose owner's lease is over are CLAIMED, runs are DISPATCHED.
enum class Unattended { claims_and_runs, claims, runs };

// What a Reader tells of the queue. Same rules.
class QueueReader {
public:
    virtual ~QueueReader() = default;

    // Whatever its workspace. Empty when there is none.
    virtual Result<std::optional<StoredExecution>> execution(ExecutionId id) = 0;
    // Newest first: by id, descending; unless the filter says otherwise.
    virtual Result<Listing<Execution>> executions(const ExecutionFilter& filter, Page page) = 0;

    virtual Result<std::optional<Workspace>> workspace(const WorkspaceId& id) = 0;
    // By id.
    virtual Result<Listing<Workspace>> workspaces(Page page) = 0;
    // Empty when there is no such workspace.
    virtual Result<std::optional<QueueOverview>> queue(const WorkspaceId& id) = 0;
    // Those with open executions, by id, behind `after`.
    virtual Result<std::vector<QueueOverview>> busy_queues(const WorkspaceId& after,
                                                           std::int32_t count_max) = 0;

    // Of one workspace, the largest first.
    virtual Result<std::vector<DeadLetterGroup>> dead_letter_groups(const WorkspaceId& workspace_id,
                                                                    std::int32_t count_max) = 0;
    // Of one workspace, or of all when none is named; counted to a bound.
    virtual Result<std::int64_t> dead_letters(const WorkspaceId& workspace_id) = 0;

    // For explanations: who stands before it, and who has the slots (of its concurrency key, when
    // one is given), the longest first.
    virtual Result<QueuePosition> position(const Execution& execution) = 0;
    virtual Result<std::vector<Execution>> slot_holders(const WorkspaceId& workspace_id,
                                                        const std::string& concurrency_key,
                                                        std::int32_t count_max) = 0;

    // Waiting executions of all workspaces that are due again, or whose deadline has passed, the
    // longest overdue first; and when the next one is.
    virtual Result<std::vector<ExecutionKey>> due_executions(Instant now,
                                                             std::int32_t count_max) = 0;
    virtual Result<std::optional<Instant>> next_due_execution() = 0;

    // The same for active ones that somebody has to look at.
    virtual Result<std::vector<ExecutionKey>> unattended_executions(Unattended which, Instant now,
                                                                    std::int32_t count_max) = 0;
    virtual Result<std::optional<Instant>> next_unattended_execution(Unattended which) = 0;

    // The same executions, whatever their leases, that were claimed before `claimed_before` and are
    // CLAIMED still: for recovery by hand.
    virtual Result<std::vector<ExecutionKey>> stale_claims(Instant claimed_before,
                                                           std::int32_t count_max) = 0;

    // Ended executions of a definition with ids behind `after` and before `before`, by id; open
    // ones too, and those that cannot be read, so that a caller sees how far it has come. For
    // retention.
    virtual Result<std::vector<Execution>> execution_ends(const WorkspaceId& workspace_id,
                                                          const std::string& definition_id,
                                                          ExecutionId after, ExecutionId before,
                                                          std::int32_t count_max) = 0;
};

}  // namespace millrace
