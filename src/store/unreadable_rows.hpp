#pragma once

#include <string>
#include <vector>

#include "store/footprint.hpp"

namespace millrace {

// Rows of a footprint that are there and cannot be read: another version has written them, or
// somebody's SQL. They stand in the way of the commands that need them, and of nobody else.
struct UnreadableRows {
    std::vector<InstanceKey> instances{};
    std::vector<JobKey> jobs{};
    std::vector<UserTaskKey> user_tasks{};
    std::vector<StepExecutionKey> step_executions{};
    std::vector<DefinitionKey> definitions{};
    std::vector<ExecutionKey> executions{};
    // A sentence for the log about each of them, and about those of an admission.
    std::vector<std::string> reasons{};

    bool empty() const { return reasons.empty(); }
    void add(UnreadableRows more);

    // Whether one of them is in that footprint.
    bool concern(const Footprint& footprint) const;
};

}  // namespace millrace
