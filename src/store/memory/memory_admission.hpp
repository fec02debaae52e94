#pragma once

#include <set>

#include "store/memory/memory_state.hpp"

namespace millrace {

// What an admission has moved before it looks: written with its batch, and only then.
struct AdmissionMoves {
    std::map<WorkspaceId, LineState> woken{};
    std::set<ExecutionKey> unparked{};
};

AdmissionMoves moves_of(const MemoryTables& tables, const AdmissionRequest& request);

// The queue as it is after those moves.
AdmissionRows read_admission(const MemoryTables& tables, const AdmissionMoves& moves,
                             const AdmissionRequest& request);

}  // namespace millrace
