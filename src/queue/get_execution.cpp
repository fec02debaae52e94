#include "queue/get_execution.hpp"

#include "queue/find_execution.hpp"

namespace millrace {

Result<StoredExecution> read(const GetExecution& query, Reader& reader) {
    Result<std::optional<StoredExecution>> found = reader.execution(query.id);
    if (!found) return found.error();
    const bool is_here = *found && (!query.workspace_id ||
                                    (*found)->execution.key.workspace_id == *query.workspace_id);
    if (!is_here) return execution_not_found(query.id);
    return std::move(**found);
}

}  // namespace millrace
