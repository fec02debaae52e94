#include "engine/get_definition.hpp"

namespace millrace {

Result<DefinitionRecord> read(const GetDefinition& query, Reader& reader) {
    Result<std::optional<DefinitionRecord>> found =
        reader.definition(query.workspace_id, query.id, query.version);
    if (!found) return found.error();
    if (!*found) return Error{ErrorCode::not_found, "definition not found"};
    return std::move(**found);
}

}  // namespace millrace
