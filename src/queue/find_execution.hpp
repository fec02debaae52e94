#pragma once

#include "store/working_set.hpp"

namespace millrace {

// A copy of the row to decide on; not_found when there is no such execution.
Result<Execution> find_execution(const WorkingSet& rows, const ExecutionKey& key);

Error execution_not_found(ExecutionId id);
Error workspace_not_found(const WorkspaceId& id);

// The instance that an execution has, or will have, under its own id.
inline InstanceKey first_instance_of(const ExecutionKey& key) {
    return {InstanceId{key.id.value}, key.workspace_id};
}

}  // namespace millrace
