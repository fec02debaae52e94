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

// What is told of a definition, or of one version of it, that is not there.
Error definition_not_found(const WorkspaceId& workspace_id, std::string_view id,
                           std::optional<std::int32_t> version = {});

}  // namespace millrace
