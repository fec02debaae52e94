#include "engine/get_definition.hpp"

#include "core/definition/problems.hpp"

namespace millrace {

Result<DefinitionRecord> read(const GetDefinition& query, Reader& reader) {
    Result<std::optional<DefinitionRecord>> found =
        reader.definition(query.workspace_id, query.id, query.version);
    // What no store can keep was never uploaded.
    const bool is_unstorable = !found && found.error().code == ErrorCode::data_refused;
    if (!found && !is_unstorable) return found.error();
    if (is_unstorable || !*found) {
        const bool is_latest = query.version == 0;
        return definition_not_found(query.workspace_id, query.id,
                                    is_latest ? std::nullopt : std::optional(query.version));
    }
    return std::move(**found);
}

Error definition_not_found(const WorkspaceId& workspace_id, std::string_view id,
                           std::optional<std::int32_t> version) {
    const std::string which = version ? " version " + std::to_string(*version) : "";
    return {
        ErrorCode::not_found,
        "definition not found",
        {{version ? "version" : "id", "there is no definition " + definition::quoted(id) + which +
                                          " in workspace \"" + workspace_id.value + "\""}}};
}

}  // namespace millrace
