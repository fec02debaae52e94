#pragma once

#include <vector>

#include "simulator/actor.hpp"
#include "simulator/swarm.hpp"

namespace millrace::sim {

// All events of a run, in order of time; the first one comes after `begin`.
EventPlan draw_plan(std::uint64_t seed, const Swarm& swarm,
                    const std::vector<std::unique_ptr<Actor>>& actors, Instant begin);

}  // namespace millrace::sim
