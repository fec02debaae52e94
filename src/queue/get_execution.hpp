#pragma once

#include "store/reader.hpp"

namespace millrace {

// not_found when there is none, or when it belongs to another workspace than the one named.
struct GetExecution {
    ExecutionId id{};
    std::optional<WorkspaceId> workspace_id{};  // Absent: any.
};

// The result of one that has run here is what the last instance of its chain has left: its
// variables. None when retention has removed that one.
Result<StoredExecution> read(const GetExecution& query, Reader& reader);

}  // namespace millrace
