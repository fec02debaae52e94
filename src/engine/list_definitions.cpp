#include "engine/list_definitions.hpp"

namespace millrace {

Result<Listing<DefinitionSummary>> read(const ListDefinitions& query, Reader& reader) {
    Result<Listing<DefinitionSummary>> found = reader.definitions(query.filter, query.page);
    // A filter that no store can keep matches nothing.
    if (!found && found.error().code == ErrorCode::data_refused)
        return Listing<DefinitionSummary>{};
    return found;
}

}  // namespace millrace
