#pragma once

#include <functional>
#include <optional>

#include "core/explain/explain_execution.hpp"
#include "store/job_claimer.hpp"
#include "store/reader.hpp"

namespace millrace {

// What no store knows, from the process that is asked.
struct ExplainContext {
    ProcessFacts process{};
    Plans plans{};
    std::function<WorkersSeen(const WaitingType&)> workers{};
    Instant now{};
};

// Why is it not running? Each gathers what was committed, in some reads after each other, and lets
// the core say what it means. not_found: there is no such thing, or not in that workspace; an empty
// workspace is any.

struct ExplainExecution {
    ExecutionId id{};
    WorkspaceId workspace_id{};
    ExplainContext context{};
};
Result<Explanation> read(const ExplainExecution& query, Reader& reader);

struct ExplainInstance {
    InstanceKey key{};
    ExplainContext context{};
};
Result<Explanation> read(const ExplainInstance& query, Reader& reader);

struct ExplainJob {
    JobKey key{};
    bool is_anywhere = false;  // As in GetJob.
    ExplainContext context{};
};
Result<Explanation> read(const ExplainJob& query, Reader& reader);

struct ExplainWorkspace {
    WorkspaceId id{};
    ExplainContext context{};
};
Result<Explanation> read(const ExplainWorkspace& query, Reader& reader);

}  // namespace millrace
