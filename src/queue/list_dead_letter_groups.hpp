#pragma once

#include "store/reader.hpp"

namespace millrace {

// Dead letters that look alike, the largest group first.
struct ListDeadLetterGroups {
    WorkspaceId workspace_id{};
    std::int32_t count_max = 100;
};

Result<std::vector<DeadLetterGroup>> read(const ListDeadLetterGroups& query, Reader& reader);

}  // namespace millrace
