#include "queue/take_attention.hpp"

namespace millrace {

namespace {

struct Taken {
    Attention attention = Attention::none;
    std::optional<Execution> execution{};
};

Taken take(Execution execution, const TakeAttention& command, Instant now) {
    const bool is_due = execution.due_at && *execution.due_at <= now;
    if (!is_active(execution.queue_status) || !is_due) return {};
    const Instant until = now + command.lease;
    const bool is_held = execution.queue_status == QueueStatus::claimed &&
                         !execution.claim.owner.empty() &&
                         now - execution.claimed_at.value_or(now) < command.stale_after;
    if (is_held) return {};
    if (execution.queue_status == QueueStatus::claimed) {
        Taken taken{.execution =
                        recovered(std::move(execution), command.owner, until, command.rules, now)};
        const bool is_open = taken.execution->queue_status == QueueStatus::claimed;
        taken.attention = is_open ? Attention::recover_start : Attention::failed;
        return taken;
    }
    execution.claim.owner = command.owner;
    execution.due_at = until;
    const bool is_wanted = execution.cancel_requested_at.has_value();
    return {is_wanted ? Attention::pass_cancel_on : Attention::describe, std::move(execution)};
}

}  // namespace

Footprint footprint(const TakeAttention& command) {
    return {.executions = {command.key}, .workspaces = {command.key.workspace_id}};
}

Result<Decision<TakenAttention>> decide(const TakeAttention& command, const WorkingSet& rows,
                                        Instant now) {
    Decision<TakenAttention> decision;
    const Execution* found = rows.find(command.key);
    if (found == nullptr) return decision;
    decision.answer.execution = *found;

    Taken taken = take(*found, command, now);
    if (!taken.execution) return decision;
    decision.missing = missing_for_run(rows, *taken.execution);
    if (!decision.missing.empty()) return decision;
    decision.answer = {taken.attention, *taken.execution,
                       run_of(rows, *taken.execution, command.rules)};
    decision.effects.executions.push_back(std::move(*taken.execution));
    return decision;
}

}  // namespace millrace
