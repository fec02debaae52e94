#pragma once

#include "core/definition/definition.hpp"
#include "core/queue/transitions.hpp"
#include "core/queue/workspace.hpp"

namespace millrace {

// Who runs the executions of a definition.
const ExecutorSpec& executor_of(const Definition& definition);

// The rules with the attempts that hold for one execution: its definition's own, else its
// workspace's, else those of all. Null for what is gone.
DispatchRules rules_for(DispatchRules rules, const Workspace* workspace,
                        const Definition* definition);

}  // namespace millrace
