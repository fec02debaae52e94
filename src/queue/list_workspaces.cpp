#include "queue/list_workspaces.hpp"

namespace millrace {

Result<Listing<Workspace>> read(const ListWorkspaces& query, Reader& reader) {
    return reader.workspaces(query.page);
}

}  // namespace millrace
