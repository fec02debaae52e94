#include "scheduler/execution_sweep.hpp"

#include "queue/remove_executions.hpp"

namespace millrace {

Result<std::vector<DefinitionSweep::End>> ExecutionSweep::read(const DefinitionName& definition,
                                                               Id128 after, Id128 before,
                                                               std::int32_t count_max) {
    const Result<std::vector<Execution>> rows = reader().execution_ends(
        definition.workspace_id, definition.id, {after}, {before}, count_max);
    if (!rows) return rows.error();
    std::vector<End> ends;
    for (const Execution& row : *rows) ends.push_back({row.key.id.value, row.completed_at});
    return ends;
}

void ExecutionSweep::remove(const WorkspaceId& workspace_id, const std::vector<Id128>& ids,
                            Instant ended_before, std::function<void(const Status&)> done) {
    RemoveExecutions removal{.ended_before = ended_before};
    for (const Id128& id : ids) removal.executions.push_back({{id}, workspace_id});
    queue_.submit_duty(std::move(removal), [done = std::move(done)](const auto& removed) {
        done(removed ? ok() : Status(removed.error()));
    });
}

}  // namespace millrace
