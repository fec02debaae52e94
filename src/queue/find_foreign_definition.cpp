#include "queue/find_foreign_definition.hpp"

namespace millrace {

Result<ForeignDefinition> read(const FindForeignDefinition& query, Reader& reader) {
    const Result<std::optional<Workspace>> workspace = reader.workspace(query.workspace_id);
    if (!workspace) return workspace.error();
    if (!*workspace) return ForeignDefinition{};
    const Result<std::optional<DefinitionRecord>> own =
        reader.definition(query.workspace_id, query.id, 0);
    if (!own) return own.error();
    if (*own) return ForeignDefinition{};
    const Result<bool> is_elsewhere = reader.is_definition_elsewhere(query.workspace_id, query.id);
    if (!is_elsewhere) return is_elsewhere.error();
    return ForeignDefinition{*is_elsewhere};
}

}  // namespace millrace
