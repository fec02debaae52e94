#pragma once

#include "store/reader.hpp"

namespace millrace {

// The executions of a workspace that are CLAIMED and were so before a time, the longest first.
struct ListStaleClaims {
    WorkspaceId workspace_id{};
    Instant claimed_before{};
    std::int32_t count_max = 0;
};

// not_found when there is no such workspace.
Result<std::vector<ExecutionKey>> read(const ListStaleClaims& query, Reader& reader);

}  // namespace millrace
