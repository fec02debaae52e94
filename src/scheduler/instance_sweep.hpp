#pragma once

#include "commit/command_queue.hpp"
#include "scheduler/definition_sweep.hpp"

namespace millrace {

// Removes instances that have expired, with all that belongs to them.
class InstanceSweep final : public DefinitionSweep {
public:
    InstanceSweep(RetentionRules rules, Reader& reader, CommandQueue& queue, SetAsideNote note = {})
        : DefinitionSweep(std::move(rules), reader, std::move(note)), queue_(queue) {}

private:
    Result<std::vector<End>> read(const DefinitionName& definition, Id128 after, Id128 before,
                                  std::int32_t count_max) override;
    void remove(const WorkspaceId& workspace_id, const std::vector<Id128>& ids,
                Instant ended_before, std::function<void(const Status&)> done) override;

    CommandQueue& queue_;
};

}  // namespace millrace
