#include "engine/list_definition_versions.hpp"

namespace millrace {

Result<Listing<DefinitionSummary>> read(const ListDefinitionVersions& query, Reader& reader) {
    Result<Listing<DefinitionSummary>> found =
        reader.definition_versions(query.workspace_id, query.id, query.page);
    const bool is_refused = !found && found.error().code == ErrorCode::data_refused;
    const bool is_none = found && found->total == 0;
    if (is_refused || is_none) return Error{ErrorCode::not_found, "definition not found"};
    return found;
}

}  // namespace millrace
