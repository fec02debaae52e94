#include "queue/get_execution.hpp"

#include "queue/find_execution.hpp"

namespace millrace {

namespace {

Status add_native_result(StoredExecution& stored, Reader& reader) {
    const Execution& execution = stored.execution;
    const bool has_one = execution.queue_status == QueueStatus::completed &&
                         execution.executor == ExecutorKind::native && execution.instance_id;
    if (!has_one) return ok();
    const Result<std::optional<Instance>> last =
        reader.instance({*execution.instance_id, execution.key.workspace_id});
    if (!last) return last.error();
    if (*last) stored.result = (*last)->variables.text();
    return ok();
}

}  // namespace

Result<StoredExecution> read(const GetExecution& query, Reader& reader) {
    Result<std::optional<StoredExecution>> found = reader.execution(query.id);
    if (!found) return found.error();
    const bool is_here = *found && (!query.workspace_id ||
                                    (*found)->execution.key.workspace_id == *query.workspace_id);
    if (!is_here) return execution_not_found(query.id);
    const Status status = add_native_result(**found, reader);
    if (!status) return status.error();
    return std::move(**found);
}

}  // namespace millrace
