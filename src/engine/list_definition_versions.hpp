#pragma once

#include <string>

#include "store/reader.hpp"

namespace millrace {

// All versions of one definition, newest first. not_found when there is none.
struct ListDefinitionVersions {
    WorkspaceId workspace_id{};
    std::string id{};
    Page page{};
};

Result<Listing<DefinitionSummary>> read(const ListDefinitionVersions& query, Reader& reader);

}  // namespace millrace
