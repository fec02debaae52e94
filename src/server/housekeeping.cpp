#include "server/housekeeping.hpp"

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

Housekeeping::Housekeeping(Database& database, Rules rules, CommandQueue& queue, const Clock& clock,
                           observe::Metrics& metrics, observe::Log& log, std::function<void()> wake)
    : rules_(std::move(rules)),
      clock_(clock),
      metrics_(metrics),
      log_(log),
      wake_(std::move(wake)),
      reader_(database.reader()),
      upkeep_(database.upkeep()),
      instance_sweep_(rules_.instances, *reader_, queue, note_of("retention", log)),
      execution_sweep_(rules_.instances, *reader_, queue, note_of("execution retention", log)),
      audit_sweep_(rules_.audit, *reader_, queue) {}

void Housekeeping::add_to(ClusterDuties& duties) {
    if (const auto shortest = rules_.instances.shortest()) {
        instance_loop_.emplace(instance_sweep_, sweep_interval(*shortest), clock_, wake_);
        duties.add("retention", [this] { return instance_loop_->run_once(); });
        execution_loop_.emplace(execution_sweep_, sweep_interval(*shortest), clock_, wake_);
        duties.add("execution retention", [this] { return execution_loop_->run_once(); });
    }
    if (const auto shortest = rules_.audit.shortest()) {
        audit_loop_.emplace(audit_sweep_, sweep_interval(*shortest), clock_, wake_);
        duties.add("audit retention", [this] { return audit_loop_->run_once(); });
    }
    if (upkeep_ != nullptr) {
        partition_keeper_.emplace(*upkeep_, rules_, duties.right(), clock_, metrics_, log_);
        duties.add("partitions", [this] { return partition_keeper_->run_once(); });
    }
}

}  // namespace millrace
