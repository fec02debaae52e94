#pragma once

#include "base/trace_context.hpp"
#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Puts an execution of the named version of a definition, or of its latest (version 0), in the line
// of its workspace, and answers with it. The version is pinned then. not_found: there is no such
// workspace or definition.
struct EnqueueExecution {
    static constexpr std::string_view kName = "execution.enqueue";

    ExecutionKey key{};  // Sequence 0, minted by the caller.
    std::string definition_id{};
    std::int32_t definition_version = 0;
    Variables input{};
    std::int32_t priority = 0;
    std::optional<Instant> not_before{};
    std::optional<Instant> deadline{};
    std::string concurrency_key{};
    std::string requested_by{};
    TraceContext trace{};  // Of the request; absent for none.
};

Footprint footprint(const EnqueueExecution& command);
Result<Decision<Execution>> decide(const EnqueueExecution& command, const WorkingSet& rows,
                                   Instant now);
AuditNote audit_note(const EnqueueExecution& command, const Execution& answer);

// What a repeated request is answered with: the id of the execution, which its instance will have.
inline InstanceId instance_started_by(const EnqueueExecution& command) {
    return {command.key.id.value};
}

}  // namespace millrace
