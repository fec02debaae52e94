#include "queue/get_workspace.hpp"

#include "queue/find_execution.hpp"

namespace millrace {

Result<Workspace> read(const GetWorkspace& query, Reader& reader) {
    Result<std::optional<Workspace>> found = reader.workspace(query.id);
    if (!found) return found.error();
    if (!*found) return workspace_not_found(query.id);
    return std::move(**found);
}

}  // namespace millrace
