#pragma once

#include "store/definition_cache.hpp"
#include "store/footprint.hpp"
#include "store/sqlite/connection.hpp"
#include "store/working_set.hpp"

namespace millrace::sqlite {

// Reads the rows of a footprint in the transaction of the connection.
Result<LoadedRows> load_rows(Connection& connection, DefinitionCache& cache,
                             const Footprint& footprint);

}  // namespace millrace::sqlite
