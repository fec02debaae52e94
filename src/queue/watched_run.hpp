#pragma once

#include <memory>
#include <string>

#include "core/queue/execution.hpp"
#include "executor/remote_executor.hpp"

namespace millrace {

// A run elsewhere, as this process knows it.
struct WatchedRun {
    Execution execution{};  // As it was when somebody last wrote or read it.
    std::string name_space{};
    bool is_namespace_known = true;  // Else its definition could not be read.
    bool is_cancel_told = false;     // That its cancellation was passed on.
    bool is_ending = false;          // Its end is being written down,
    bool is_over = false;            // or was, by whomever.

    RunRef ref() const { return {name_space, workflow_id(execution.key), execution.run_id}; }
};

// The run that was asked about, and nobody else's.
inline bool is_there(const RunReport& report) {
    return report.is_found && report.is_ours;
}

using RunPtr = std::shared_ptr<WatchedRun>;

}  // namespace millrace
