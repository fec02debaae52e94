#include "scheduler/instance_sweep.hpp"

#include "engine/remove_instances.hpp"

namespace millrace {

Result<std::vector<DefinitionSweep::End>> InstanceSweep::read(const DefinitionName& definition,
                                                              Id128 after, Id128 before,
                                                              std::int32_t count_max) {
    const Result<std::vector<InstanceEnd>> rows =
        reader().instance_ends(definition, {after}, {before}, count_max);
    if (!rows) return rows.error();
    std::vector<End> ends;
    for (const InstanceEnd& row : *rows) ends.push_back({row.id.value, row.completed_at});
    return ends;
}

void InstanceSweep::remove(const WorkspaceId& workspace_id, const std::vector<Id128>& ids,
                           Instant ended_before, std::function<void(const Status&)> done) {
    RemoveInstances removal{.ended_before = ended_before};
    for (const Id128& id : ids) removal.instances.push_back({{id}, workspace_id});
    queue_.submit_duty(std::move(removal), [done = std::move(done)](const auto& removed) {
        done(removed ? ok() : Status(removed.error()));
    });
}

}  // namespace millrace
