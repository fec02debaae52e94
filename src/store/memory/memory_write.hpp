#pragma once

#include "base/result.hpp"
#include "store/memory/memory_admission.hpp"

namespace millrace {

// data_refused: a database would refuse one of these rows, for its text or because it is there
// already.
Status check_writes(const MemoryTables& tables, const Writes& writes);

// For what was checked: writes all as one commit, behind what the admission of the batch has moved.
void write_rows(MemoryTables& tables, const AdmissionMoves& moves, const Writes& writes);

}  // namespace millrace
