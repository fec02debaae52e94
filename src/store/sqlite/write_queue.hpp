#pragma once

#include "store/effects.hpp"
#include "store/sqlite/connection.hpp"

namespace millrace::sqlite {

// The part of a batch that is about executions, workspaces and their lines.
Status write_queue(Connection& connection, const Writes& writes);

}  // namespace millrace::sqlite
