#pragma once

#include <string>

#include "executor/remote_executor.hpp"
#include "executor/temporal/wire.hpp"

namespace millrace {

// What Temporal says of one run, which may be one of several that follow each other.
struct DescribedRun {
    std::string run_id{};
    std::string first_run_id{};  // Of those that follow each other.
    std::string reset_run_id{};  // The run that goes on after an operator has reset this one.
    bool is_closed = false;
    bool is_ours = false;  // Its memo names the execution.
};

DescribedRun described_run(const wire::DescribeWorkflowExecutionResponse& response,
                           const ExecutionKey& execution);

// How one run ended: the event that closes its history.
struct RunEnd {
    RunState state = RunState::running;
    std::string next_run_id{};  // The run that goes on; then this is not the end.
    std::string result{};
    std::string message{};
};

// Still running when the event is none of those that close a run.
RunEnd run_end(const wire::HistoryEvent& event);

}  // namespace millrace
