#pragma once

#include <string>
#include <vector>

namespace millrace {

// Those of the names that begin as our variables do and mean nothing to any program of ours,
// sorted: most are misspelled. What Kubernetes tells each container of a service called millrace is
// none.
std::vector<std::string> unknown_variables(std::vector<std::string> names);

}  // namespace millrace
