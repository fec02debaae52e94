#include "engine/list_definitions.hpp"

namespace millrace {

Result<Listing<DefinitionSummary>> read(const ListDefinitions& query, Reader& reader) {
    return reader.definitions(query.filter, query.page);
}

}  // namespace millrace
