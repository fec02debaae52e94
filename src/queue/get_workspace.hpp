#pragma once

#include "store/reader.hpp"

namespace millrace {

// not_found when there is none.
struct GetWorkspace {
    WorkspaceId id{};
};

Result<Workspace> read(const GetWorkspace& query, Reader& reader);

}  // namespace millrace
