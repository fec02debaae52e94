#pragma once

#include "commit/command_queue.hpp"
#include "core/retention/retention_rules.hpp"
#include "scheduler/sweep_loop.hpp"
#include "store/reader.hpp"

namespace millrace {

// Removes instances that were over for longer than their rule keeps them: definition by definition,
// each from its oldest instance to the first that is too young. A definition whose instances are
// kept is not looked at.
class InstanceSweep final : public Sweep {
public:
    InstanceSweep(RetentionRules rules, Reader& reader, CommandQueue& queue)
        : rules_(std::move(rules)), reader_(reader), queue_(queue) {}

    Result<Step> step(Instant now, std::function<void(bool)> done) override;

private:
    Result<Step> next_definition(Instant now);
    // Those among these that have expired, up to a batch full; goes behind the last one looked at.
    std::vector<InstanceKey> take_expired(const std::vector<InstanceEnd>& ends);

    const RetentionRules rules_;
    Reader& reader_;
    CommandQueue& queue_;

    DefinitionName definition_{};
    std::optional<Instant> expired_before_{};  // Of this definition; empty: go to the next.
    InstanceId after_{};
};

}  // namespace millrace
