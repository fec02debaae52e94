#pragma once

#include "store/reader.hpp"

namespace millrace {

// Counted to kTotalExactMax each.
struct OpenWork {
    std::int64_t executions = 0;
    std::int64_t instances = 0;  // Those of executions among them.

    bool empty() const { return executions == 0 && instances == 0; }
};

// What stands in the way of deleting a workspace. not_found when there is none.
struct CountOpenWork {
    WorkspaceId workspace_id{};
};

struct CountedWork {
    Workspace workspace{};  // As it was before the rest was counted.
    OpenWork open{};
};

Result<CountedWork> read(const CountOpenWork& query, Reader& reader);

}  // namespace millrace
