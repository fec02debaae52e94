#include "node/housekeeping.hpp"

namespace millrace {

namespace {

DefinitionSweep::SetAsideNote note_of(std::string duty, observe::Log& log) {
    return [duty = std::move(duty), &log](const WorkspaceId& workspace_id, Id128 id,
                                          const Error& error) {
        log.warn("A due row is refused.", {{"duty", duty},
                                           {"workspaceId", workspace_id.value},
                                           {"id", to_string(id)},
                                           {"error", error.detail}});
    };
}

}  // namespace

Housekeeping::Housekeeping(const NodeContext& context, Rules rules, CommandQueue& queue,
                           std::function<void()> wake)
    : rules_(std::move(rules)),
      context_(context),
      wake_(std::move(wake)),
      reader_(context.database.reader()),
      upkeep_(context.database.upkeep()),
      instance_sweep_(rules_.instances, *reader_, queue, note_of("retention", context.log)),
      execution_sweep_(rules_.instances, *reader_, queue,
                       note_of("execution retention", context.log)),
      audit_sweep_(rules_.audit, *reader_, queue) {}

void Housekeeping::add_to(ClusterDuties& duties) {
    if (const auto shortest = rules_.instances.shortest()) {
        instance_loop_.emplace(instance_sweep_, sweep_interval(*shortest), context_.clock, wake_);
        duties.add("retention", [this] { return instance_loop_->run_once(); });
        execution_loop_.emplace(execution_sweep_, sweep_interval(*shortest), context_.clock, wake_);
        duties.add("execution retention", [this] { return execution_loop_->run_once(); });
    }
    if (const auto shortest = rules_.audit.shortest()) {
        audit_loop_.emplace(audit_sweep_, sweep_interval(*shortest), context_.clock, wake_);
        duties.add("audit retention", [this] { return audit_loop_->run_once(); });
    }
    if (upkeep_ != nullptr) {
        partition_keeper_.emplace(*upkeep_, rules_, duties.right(), context_.clock,
                                  context_.metrics, context_.log);
        duties.add("partitions", [this] { return partition_keeper_->run_once(); });
    }
}

}  // namespace millrace
