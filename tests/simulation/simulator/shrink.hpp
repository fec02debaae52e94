#pragma once

#include "simulator/run_seed.hpp"

namespace millrace::sim {

// Leaves out as many events of a failing run as it can while the run still fails in the same way,
// and gives the result of the shortest one found, with its trace. `runs_max` bounds the tries.
SeedResult shrink(const SeedResult& failure, RunOptions options, int runs_max = 2'000);

}  // namespace millrace::sim
