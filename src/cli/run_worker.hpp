#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace worker --type T --exec CMD`: runs until SIGTERM or SIGINT, then takes no more jobs and
// waits for the commands that run. A second signal ends it at once; the commands live on. Ends by
// itself when the server refuses its first poll.
struct RunWorker {
    std::vector<std::string> job_types{};
    std::string command{};
    std::int32_t parallel = 1;
    std::int32_t lease_seconds = 30;
    // HOST-PID when empty.
    std::string worker_id{};
};

int execute(const RunWorker& command, const Context& context);

}  // namespace millrace::cli
