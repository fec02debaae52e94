#pragma once

#include "store/effects.hpp"
#include "store/sqlite/connection.hpp"

namespace millrace::sqlite {

// Writes a batch in the transaction of the connection.
Status write_rows(Connection& connection, const Writes& writes);

}  // namespace millrace::sqlite
