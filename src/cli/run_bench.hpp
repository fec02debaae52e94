#pragma once

#include <cstdint>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace bench`: how fast a server runs workflows of one step, seen from here. Clients start
// instances one by one, workers complete their jobs; both wait for each answer.
struct RunBench {
    std::int32_t instances = 1000;
    // Clients that start at the same time.
    std::int32_t clients = 8;
    // Jobs that are worked on at the same time.
    std::int32_t workers = 8;
};

int execute(const RunBench& command, const Context& context);

}  // namespace millrace::cli
