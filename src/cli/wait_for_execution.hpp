#pragma once

#include <string>

#include "cli/context.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

// What commands take that may wait for the end of an execution.
struct WaitArguments {
    bool is_wanted = false;
    // Give up after so long; 0 never does.
    double timeout_seconds = 0;
};

// Waits until an execution is over and shows it. The exit code tells how it ended: COMPLETED
// succeeded, FAILED and CANCELLED are refused, no_answer when it is not over in time or the server
// is silent for a minute.
int wait_for_execution(client::Client& client, const Context& context, const std::string& id,
                       const WaitArguments& wait);

}  // namespace millrace::cli
