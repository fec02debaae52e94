#pragma once

#include "store/reader.hpp"

namespace millrace {

// Whether a definition that this workspace lacks is in another one. Only for callers who may see
// all of them.
struct FindForeignDefinition {
    WorkspaceId workspace_id{};
    std::string id{};
};

struct ForeignDefinition {
    bool is_foreign =
        false;  // False too when this workspace has it, or there is no such workspace.
};

Result<ForeignDefinition> read(const FindForeignDefinition& query, Reader& reader);

}  // namespace millrace
