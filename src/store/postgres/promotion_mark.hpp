#pragma once

#include "store/postgres/connection.hpp"

namespace millrace::postgres {

// Whether another store is promoted into this database, so that it holds only a part of it.
Result<bool> has_promotion(Connection& connection);

// conflict: it has. A server that ran on a part would finish half of the instances, and ask for the
// other half in vain.
Status check_no_promotion(Connection& connection);

}  // namespace millrace::postgres
