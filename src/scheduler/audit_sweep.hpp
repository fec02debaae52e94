#pragma once

#include "commit/command_queue.hpp"
#include "core/retention/retention_rules.hpp"
#include "scheduler/sweep_loop.hpp"
#include "store/reader.hpp"

namespace millrace {

// Removes audit entries that are older than the rule of their workspace keeps them. Where they are
// kept, none is looked at.
class AuditSweep final : public Sweep {
public:
    AuditSweep(RetentionRules rules, Reader& reader, CommandQueue& queue)
        : rules_(std::move(rules)), reader_(reader), queue_(queue) {}

    Result<Step> step(Instant now, std::function<void(bool)> done) override;

private:
    Result<Step> next_workspace(Instant now);

    const RetentionRules rules_;
    Reader& reader_;
    CommandQueue& queue_;

    WorkspaceId workspace_id_{};
    std::optional<Instant> expired_before_{};  // In this workspace; empty: go to the next.
};

}  // namespace millrace
