#include "engine/stored_definition.hpp"

#include "base/json/parse.hpp"
#include "core/definition/parse_definition.hpp"

namespace millrace {

Result<DefinitionPtr> stored_definition(const Instance& instance, Reader& reader) {
    const DefinitionRef& ref = instance.definition;
    const Result<std::optional<DefinitionRecord>> record =
        reader.definition(instance.key.workspace_id, ref.id, ref.version);
    if (!record) return record.error();
    if (!*record) return DefinitionPtr{};
    const Result<json::Value> document = json::parse((*record)->content);
    if (!document) return document.error();
    return parse_stored_definition(*document);
}

}  // namespace millrace
