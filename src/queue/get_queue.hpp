#pragma once

#include "store/reader.hpp"

namespace millrace {

// How the line of a workspace stands. not_found when there is no such workspace.
struct GetQueue {
    WorkspaceId workspace_id{};
};

struct QueueView {
    QueueOverview overview{};
    std::int64_t dead_letters = 0;  // Counted to kTotalExactMax.
};

Result<QueueView> read(const GetQueue& query, Reader& reader);

}  // namespace millrace
