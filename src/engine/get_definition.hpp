#pragma once

#include "store/reader.hpp"

namespace millrace {

// The named version of a definition, or its latest (version 0).
struct GetDefinition {
    WorkspaceId workspace_id{};
    std::string id{};
    std::int32_t version = 0;
};

// not_found when there is none.
Result<DefinitionRecord> read(const GetDefinition& query, Reader& reader);

}  // namespace millrace
