#pragma once

#include "base/trace_context.hpp"
#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Does a FAILED or CANCELLED execution again: by a new one with the same input, which the old one
// is linked with; or, when it `resumes`, by the same one, whose instance goes on where it failed
// once it is let in. Answers with the one that will run.
struct RetryExecution {
    static constexpr std::string_view kName = "execution.retry";

    ExecutionKey key{};
    bool resumes = false;
    std::optional<Instant> not_before{};  // It waits until then.
    // Of one that resumes, as it was read before: it is refused when that is gone.
    std::optional<InstanceId> instance_id{};
    // The rest is for a new one.
    ExecutionId new_id{};  // Sequence 0, minted by the caller.
    Variables input{};     // As it was read of the old one: it never changes.
    std::string requested_by{};
    TraceContext trace{};
};

Footprint footprint(const RetryExecution& command);
Result<Decision<Execution>> decide(const RetryExecution& command, const WorkingSet& rows,
                                   Instant now);
AuditNote audit_note(const RetryExecution& command, const Execution& answer);

// For Idempotent, as of an enqueue.
inline InstanceId instance_started_by(const RetryExecution& command) {
    return {command.resumes ? command.key.id.value : command.new_id.value};
}

}  // namespace millrace
