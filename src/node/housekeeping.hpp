#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "node/node_context.hpp"
#include "scheduler/audit_sweep.hpp"
#include "scheduler/execution_sweep.hpp"
#include "scheduler/instance_sweep.hpp"
#include "scheduler/partition_keeper.hpp"

namespace millrace {

// What keeps a store in shape for years, as duties of the cluster: the removal of what has expired,
// where a rule says that something does, and the care of partitions, where there are some.
class Housekeeping {
public:
    using Rules = PartitionKeeper::Rules;

    // `wake` is called when the duties should run, on any thread.
    Housekeeping(const NodeContext& context, Rules rules, CommandQueue& queue,
                 std::function<void()> wake);

    void add_to(ClusterDuties& duties);

private:
    const Rules rules_;
    const NodeContext context_;
    const std::function<void()> wake_;

    std::unique_ptr<Reader> reader_;  // All run on the thread of the duties.
    std::unique_ptr<Upkeep> upkeep_;
    InstanceSweep instance_sweep_;
    ExecutionSweep execution_sweep_;
    AuditSweep audit_sweep_;
    std::optional<SweepLoop> instance_loop_;
    std::optional<SweepLoop> execution_loop_;
    std::optional<SweepLoop> audit_loop_;
    std::optional<PartitionKeeper> partition_keeper_;
};

}  // namespace millrace
