#include "queue/count_open_work.hpp"

#include "queue/find_execution.hpp"

namespace millrace {

Result<CountedWork> read(const CountOpenWork& query, Reader& reader) {
    // Each is a snapshot of its own: the settings come first, so that what is counted is at least
    // as new.
    const Result<std::optional<Workspace>> workspace = reader.workspace(query.workspace_id);
    if (!workspace) return workspace.error();
    if (!*workspace) return workspace_not_found(query.workspace_id);
    CountedWork counted{.workspace = **workspace};

    const ExecutionFilter executions{
        .workspace_id = query.workspace_id,
        .statuses = {QueueStatus::pending, QueueStatus::claimed, QueueStatus::dispatched},
    };
    const Result<Listing<Execution>> open = reader.executions(executions, {.size = 1});
    if (!open) return open.error();
    counted.open.executions = open->total;

    const InstanceFilter instances{
        .workspace_id = query.workspace_id,
        .statuses = {InstanceStatus::active, InstanceStatus::waiting},
    };
    const Result<Listing<Instance>> running = reader.instances(instances, {.size = 1});
    if (!running) return running.error();
    counted.open.instances = running->total;
    return counted;
}

}  // namespace millrace
