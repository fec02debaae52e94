#pragma once

#include "store/reader.hpp"

namespace millrace {

// not_found when there is none, or when it belongs to another workspace than the one named.
struct GetExecution {
    ExecutionId id{};
    std::optional<WorkspaceId> workspace_id{};  // Absent: any.
};

Result<StoredExecution> read(const GetExecution& query, Reader& reader);

}  // namespace millrace
