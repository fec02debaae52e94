#include "engine/find_workspace.hpp"

namespace millrace {

Result<std::optional<WorkspaceId>> read(const FindWorkspace& query, Reader& reader) {
    return reader.workspace_of_instance(query.instance);
}

}  // namespace millrace
