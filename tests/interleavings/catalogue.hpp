#pragma once

#include "interleavings/deed.hpp"

namespace millrace {

// The parts of the catalogue: what is done to instances and jobs, and to executions and workspaces.
std::vector<Deed> instance_deeds();
std::vector<Deed> execution_deeds();

}  // namespace millrace
