#include "queue/find_execution.hpp"

namespace millrace {

Result<Execution> find_execution(const WorkingSet& rows, const ExecutionKey& key) {
    if (const Execution* execution = rows.find(key)) return *execution;
    return execution_not_found(key.id);
}

Error execution_not_found(ExecutionId id) {
    return {ErrorCode::not_found, "execution \"" + to_string(id.value) + "\" not found"};
}

Error workspace_not_found(const WorkspaceId& id) {
    return {ErrorCode::not_found, "workspace \"" + id.value + "\" not found"};
}

}  // namespace millrace
