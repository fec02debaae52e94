#pragma once

#include <vector>

#include "store/effects.hpp"

namespace millrace::sim {

// The instances and executions that a batch writes something of, by the id that leads to both.
std::vector<Id128> touched_instances(const Writes& writes);

}  // namespace millrace::sim
