#include "queue/list_executions.hpp"

namespace millrace {

Result<Listing<Execution>> read(const ListExecutions& query, Reader& reader) {
    Result<Listing<Execution>> found = reader.executions(query.filter, query.page);
    // A filter that no store can keep matches nothing.
    if (!found && found.error().code == ErrorCode::data_refused) return Listing<Execution>{};
    return found;
}

}  // namespace millrace
