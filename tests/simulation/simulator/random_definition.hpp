#pragma once

#include <string>
#include <vector>

#include "simulator/sim_random.hpp"

namespace millrace::sim {

// What a random definition may be made of: a run draws a subset, so that some runs have much of one
// thing and nothing of another.
struct DefinitionMix {
    bool has_user_tasks = true;
    bool has_waits = true;
    bool has_decisions = true;
    bool has_transformations = true;
    bool has_gateways = true;
    bool has_timers = true;
    bool has_loops = true;
    bool has_retries = true;
    bool has_failures = true;  // Decisions without a branch that fits, until somebody mends them.
    int depth = 3;             // How deep blocks are nested.
    std::vector<std::string> job_types{"a", "b", "c"};

    static DefinitionMix random(SimRandom& random);
};

// The text of a valid definition that runs here. `next_workflow`: started when an instance of it
// completes; empty for none. A definition that leads back to itself that way never ends, so a
// caller chains in one direction only.
//
// Every instance comes to an end when its jobs, tasks and waits are completed, its timers fire and
// `mended` is true. Loops count in a variable of their own, which they set themselves.
std::string random_definition(SimRandom& random, const DefinitionMix& mix, const std::string& id,
                              const std::string& next_workflow = {});

// The same for one that runs elsewhere.
std::string random_remote_definition(SimRandom& random, const std::string& id,
                                     const std::string& target);

// What an instance of such a definition is started with.
std::string random_input(SimRandom& random);
// What a worker or a person adds to it.
std::string random_changes(SimRandom& random);

}  // namespace millrace::sim
