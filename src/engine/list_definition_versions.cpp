#include "engine/list_definition_versions.hpp"

#include "engine/get_definition.hpp"

namespace millrace {

Result<Listing<DefinitionSummary>> read(const ListDefinitionVersions& query, Reader& reader) {
    Result<Listing<DefinitionSummary>> found =
        reader.definition_versions(query.workspace_id, query.id, query.page);
    const bool is_refused = !found && found.error().code == ErrorCode::data_refused;
    const bool is_none = found && found->total == 0;
    if (is_refused || is_none) return definition_not_found(query.workspace_id, query.id);
    return found;
}

}  // namespace millrace
