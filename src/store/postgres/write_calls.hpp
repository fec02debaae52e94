#pragma once

#include <vector>

#include "store/effects.hpp"
#include "store/postgres/connection.hpp"

namespace millrace::postgres {

// The variables of the instances that a batch has loaded, sorted by key.
using LoadedVariables = std::vector<std::pair<InstanceKey, Variables>>;

// One statement for each table that the writes touch, in the order in which rows are locked.
void append_writes(std::vector<Call>& calls, const Writes& writes, const LoadedVariables& loaded);

}  // namespace millrace::postgres
