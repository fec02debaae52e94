#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace worker --type T --exec CMD`: runs until SIGTERM or SIGINT, then takes no more jobs,
// waits for the commands that run, ends those that take too long and releases their jobs. A second
// signal ends it at once; the commands live on. Ends by itself when the server refuses its first
// poll.
struct RunWorker {
    std::vector<std::string> job_types{};
    std::string command{};
    std::int32_t parallel = 1;
    std::int32_t lease_seconds = 30;
    // How long running commands may go on after the first signal.
    std::int32_t grace_seconds = 20;
    // HOST-PID when empty.
    std::string worker_id{};
};

int execute(const RunWorker& command, const Context& context);

}  // namespace millrace::cli
