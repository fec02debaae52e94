#pragma once

#include "store/memory/memory_admission.hpp"
#include "store/working_set.hpp"

namespace millrace {

// The rows of a footprint, as they are after the moves of its admission.
Result<LoadedRows> read_rows(const MemoryTables& tables, DefinitionCache& cache,
                             const Footprint& footprint, const AdmissionMoves& moves);

}  // namespace millrace
