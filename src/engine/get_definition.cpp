#include "engine/get_definition.hpp"

namespace millrace {

Result<DefinitionRecord> read(const GetDefinition& query, Reader& reader) {
    Result<std::optional<DefinitionRecord>> found =
        reader.definition(query.workspace_id, query.id, query.version);
    // What no store can keep was never uploaded.
    const bool is_unstorable = !found && found.error().code == ErrorCode::data_refused;
    if (!found && !is_unstorable) return found.error();
    if (is_unstorable || !*found) return Error{ErrorCode::not_found, "definition not found"};
    return std::move(**found);
}

}  // namespace millrace
