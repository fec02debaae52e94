#pragma once

#include <vector>

#include "store/effects.hpp"
#include "store/postgres/connection.hpp"

namespace millrace::postgres {

// The statements that write what a batch has made of executions, workspaces and lines. Behind those
// of instances: an instance that ends writes its execution, so this is the order of all locks.
void append_queue_writes(std::vector<Call>& calls, const Writes& writes);

}  // namespace millrace::postgres
