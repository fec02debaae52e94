#pragma once

#include "store/memory/memory_state.hpp"
#include "store/working_set.hpp"

namespace millrace {

// The rows of a footprint. internal: a stored definition cannot be read.
Result<LoadedRows> read_rows(const MemoryTables& tables, DefinitionCache& cache,
                             const Footprint& footprint);

}  // namespace millrace
