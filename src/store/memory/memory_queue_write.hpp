#pragma once

#include "store/memory/memory_admission.hpp"

namespace millrace {

// The part of check_writes and write_rows that is about executions, workspaces and their lines.
bool queue_texts_storable(const Writes& writes);
void write_moves(MemoryTables& tables, const AdmissionMoves& moves);
void write_queue(MemoryTables& tables, const Writes& writes);

}  // namespace millrace
