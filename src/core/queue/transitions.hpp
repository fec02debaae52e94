#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "core/definition/retry_policy.hpp"
#include "core/queue/execution.hpp"

namespace millrace {

// Every change of an execution is one of these functions. They are pure: they take the old value
// and `now` and return the new one. Those of a dispatcher name the token of their claim; empty
// means that the claim was lost meanwhile and nothing changes, which is no error.

struct DispatchRules {
    std::int32_t max_attempts = 3;
    std::int32_t max_recoveries = 10;
    RetryPolicy after_refusal{
        .initial_delay = std::chrono::seconds{1},
        .max_delay = std::chrono::minutes{1},
        .jitter = 0.2,
    };
    RetryPolicy after_deferral{
        .initial_delay = std::chrono::seconds{1},
        .max_delay = std::chrono::seconds{30},
        .jitter = 0.2,
    };
    RetryPolicy after_doubt{
        .initial_delay = std::chrono::milliseconds{500},
        .max_delay = std::chrono::seconds{30},
        .jitter = 0.2,
    };
};

// Reasons of a FAILED execution that we give ourselves.
namespace failure {
inline constexpr std::string_view kWorkflowFailed = "WORKFLOW_FAILED";
inline constexpr std::string_view kTimedOut = "TIMED_OUT";
inline constexpr std::string_view kTerminated = "TERMINATED";
inline constexpr std::string_view kDeadlineExceeded = "DEADLINE_EXCEEDED";
inline constexpr std::string_view kWorkspaceNotFound = "WORKSPACE_NOT_FOUND";
inline constexpr std::string_view kDefinitionNotFound = "DEFINITION_NOT_FOUND";
inline constexpr std::string_view kVersionNotFound = "VERSION_NOT_FOUND";
inline constexpr std::string_view kWorkflowIdConflict = "WORKFLOW_ID_CONFLICT";
inline constexpr std::string_view kTargetNotFound = "EXECUTOR_TARGET_NOT_FOUND";
inline constexpr std::string_view kStartFailed = "START_FAILED";
// Its input, or all of its row, cannot be read: SQL has put it there, or another version.
inline constexpr std::string_view kInvalidInput = "INVALID_INPUT";
inline constexpr std::string_view kStartUnknown = "START_UNKNOWN";
inline constexpr std::string_view kRunNotFound = "RUN_NOT_FOUND";
inline constexpr std::string_view kRecoveriesExhausted = "RECOVERIES_EXHAUSTED";
}  // namespace failure

// PENDING → CLAIMED. A slot is taken. `look_at` is when others may take over; empty when nobody has
// to, because the start is part of the same transaction.
Execution claim(Execution execution, const std::string& owner, std::optional<Instant> look_at,
                Instant now);

// Whether a start may have happened that nobody knows of: one was sent before the latest claim, or
// its outcome was lost. Only meant for one that is CLAIMED.
bool is_in_doubt(const Execution& execution);

// CLAIMED, for a longer time.
std::optional<Execution> renewed(Execution execution, std::int64_t token, Instant look_at);

// CLAIMED → DISPATCHED. `look_at`: when its run is to be asked about; at once when somebody wants
// it cancelled meanwhile.
std::optional<Execution> dispatched(Execution execution, std::int64_t token,
                                    const std::string& run_id, std::optional<Instant> look_at,
                                    Instant now);

struct Refusal {
    std::string reason{};
    std::string message{};
    bool is_permanent = false;
};

// CLAIMED → PENDING after an error that counts, or FAILED when it was the last try or is permanent.
// CANCELLED when somebody wanted that meanwhile: nothing was started.
std::optional<Execution> refused(Execution execution, std::int64_t token, const Refusal& refusal,
                                 const DispatchRules& rules, Instant now);

// CLAIMED → PENDING, or CANCELLED as above: the executor is not there. Counts no attempt. Stays
// CLAIMED, with its slot, when it is in doubt. `retry_at`: not before, when the breaker says so.
std::optional<Execution> deferred(Execution execution, std::int64_t token,
                                  const std::string& message, std::optional<Instant> retry_at,
                                  const DispatchRules& rules, Instant now);

// Stays CLAIMED, with its slot: whether it has started is for the next owner to ask. Counts a
// recovery; FAILED when that happened too often.
std::optional<Execution> left_in_doubt(Execution execution, std::int64_t token,
                                       const std::string& message, const DispatchRules& rules,
                                       Instant now);

// Whether an executor that keeps runs for `retention` may have forgotten the first try by then.
bool is_forgotten(const Execution& execution, Duration retention, Instant at);

// CLAIMED → CLAIMED by a new owner, because the lease is over. Counts a recovery when the owner was
// lost; FAILED when that happened too often. Empty when it is not CLAIMED or its lease is not over.
std::optional<Execution> recovered(Execution execution, const std::string& owner, Instant look_at,
                                   const DispatchRules& rules, Instant now);

// Any open state → the end that is reported. Empty when it is over already.
std::optional<Execution> ended(Execution execution, const ExecutionEnd& end);

// CLAIMED or PENDING → FAILED, whatever the count of attempts.
Execution failed(Execution execution, std::string_view reason, std::string message, Instant now);

// PENDING: it leaves the line until one of its concurrency key ends,
Execution parked(Execution execution);
// or until a time, because its target is closed: that counts nothing.
Execution postponed(Execution execution, Instant until);
// PENDING and DUE: it stands in line. Empty when it is not, or not yet.
std::optional<Execution> made_ready(Execution execution, Instant now);

// PENDING → CANCELLED.
Execution cancelled(Execution execution, const std::string& reason, Instant now);
// CLAIMED or DISPATCHED elsewhere: somebody has to pass that on, now. What was asked for before
// stays, unless this is to end it without asking.
Execution cancel_requested(Execution execution, bool is_forced, Instant now);

// A dead letter begins again under its id. conflict: it is not FAILED, or it has run.
Result<Execution> redriven(Execution execution, Instant now);

// A failed native execution goes on where it failed, once it is admitted.
Result<Execution> resumed(Execution execution, Instant now);

// A new execution that does the same again. conflict: it is neither FAILED nor CANCELLED, or was
// retried already.
Result<Execution> retry_of(const Execution& execution, ExecutionId id, Instant now);

// PENDING and not tried yet: it stands in line from then on, as if it had come then.
Execution put_off(Execution execution, Instant not_before, Instant now);

// FAILED, and nobody has dealt with it.
bool is_dead_letter(const Execution& execution);

// Whether the executor has ever run it.
bool has_run(const Execution& execution);

}  // namespace millrace
