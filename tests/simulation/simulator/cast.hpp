#pragma once

#include <memory>
#include <vector>

#include "simulator/actor.hpp"
#include "simulator/observer.hpp"
#include "simulator/swarm.hpp"

namespace millrace::sim {

// Everybody who acts in a run. The order is part of what a seed means: new ones come last.
std::vector<std::unique_ptr<Actor>> make_actors(const Swarm& swarm, std::uint64_t seed);

// Everybody who looks. `swarm` outlives them.
std::vector<std::unique_ptr<Observer>> make_observers(const Swarm& swarm);

}  // namespace millrace::sim
