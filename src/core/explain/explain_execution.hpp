#pragma once

#include <map>
#include <set>

#include "core/explain/explain_instance.hpp"
#include "core/explain/explanation.hpp"
#include "core/queue/admission.hpp"

namespace millrace {

// A target of remote runs that is left alone because it does not answer.
struct UnreachableTarget {
    Instant since{};
    std::optional<Instant> tries_at{};
};

// What a process knows of the targets of remote runs.
struct TargetFacts {
    std::set<std::string> known{};
    std::map<std::string, UnreachableTarget> unreachable{};
    std::set<std::string> busy{};  // As much waits to be sent there as may.
};

// What a process knows of itself that no row says.
struct ProcessFacts {
    bool is_engine_enabled = true;
    TargetFacts targets{};
};

// Everything that can stand in the way of an execution, as it was read.
struct ExecutionFacts {
    Execution execution{};
    bool has_definition = true;
    std::optional<Workspace> workspace{};  // Empty: it is gone.
    WorkspaceLimits limits{};
    LineState line{};
    std::int64_t active = 0;                  // Slots of the workspace that are taken,
    std::vector<Execution> holders{};         // and who has some of them.
    std::vector<Execution> key_holders{};     // Who has those of its concurrency key.
    std::int64_t before = 0;                  // Ready ones in front of it,
    bool is_before_capped = false;            // or more.
    std::optional<InstanceFacts> instance{};  // Of a native one that runs.
    ProcessFacts process{};
};

Explanation explain(const ExecutionFacts& facts, Instant now);

// The same for all that waits in a workspace.
struct WorkspaceFacts {
    Workspace queue{};
    WorkspaceLimits limits{};
    LineState line{};
    std::int64_t ready = 0;
    std::int64_t parked = 0;
    std::int64_t due = 0;
    std::int64_t active = 0;
    std::vector<Execution> holders{};
    ProcessFacts process{};
};

Explanation explain(const WorkspaceFacts& facts, Instant now);

}  // namespace millrace
