#include "engine/run_event.hpp"

#include "base/check.hpp"
#include "core/instance/chaining.hpp"
#include "core/instance/tracing.hpp"
#include "core/limits.hpp"
#include "core/queue/transitions.hpp"
#include "core/work_meter.hpp"

namespace millrace {

namespace {

// A chained instance's id follows from its parent's, so that deciding needs no dice. Splitmix64
// spreads the parent's random bits; the sequence bits make room for the child of a child.
InstanceId chained_id(InstanceId parent, Instant now) {
    std::uint64_t bits = parent.value.high ^ (parent.value.low + 0x9E3779B97F4A7C15u);
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return {Id128::for_instance(now, (bits ^ (bits >> 31)) >> 16)};
}

Instance chained_instance(const Instance& parent, const DefinitionRef& definition, Instant now) {
    return {
        .key = {chained_id(parent.key.id, now), parent.key.workspace_id},
        .definition = definition,
        .variables = parent.variables,
        .state = {.trace_parent = trace_parent_below(parent, parent.key.id.value),
                  .is_traced = parent.state.is_traced},
        .started_at = now,
        .parent_id = parent.key.id,
        .execution_id = parent.execution_id,
    };
}

// An execution of the queue ends with the last instance of its chain.
std::optional<ExecutionEnd> end_of_execution(const Instance& instance, Instant now) {
    if (!instance.execution_id || !is_terminal(instance.status)) return std::nullopt;
    ExecutionEnd end{
        .key = {*instance.execution_id, instance.key.workspace_id},
        .at = now,
        .instance_id = instance.key.id,
    };
    switch (instance.status) {
        case InstanceStatus::failed:
            end.queue_status = QueueStatus::failed;
            end.reason = failure::kWorkflowFailed;
            end.message = instance.failure_reason.value_or("");
            break;
        case InstanceStatus::cancelled: end.queue_status = QueueStatus::cancelled; break;
        default: end.queue_status = QueueStatus::completed; break;
    }
    return end;
}

// Or it goes on with another one.
std::optional<ExecutionMove> move_of_execution(const Instance& instance) {
    if (!instance.execution_id || is_terminal(instance.status)) return std::nullopt;
    return ExecutionMove{{*instance.execution_id, instance.key.workspace_id}, instance.key.id};
}

// Why no instance follows. `row` is null when there is no such definition.
std::string no_successor(const std::string& definition_id, const DefinitionRow* row) {
    if (row == nullptr) return "there is no definition \"" + definition_id + "\"";
    return "definition \"" + definition_id + "\" runs on " +
           std::string(to_string(row->definition->executor.kind)) +
           " and has no instances: it has to be enqueued";
}

// Runs an event and the chain of instances that follows from its end, within what one command may
// take. A chained start beyond that goes on in a transaction of its own.
class Chain {
public:
    Chain(const WorkingSet& rows, Instant now) : rows_(rows), now_(now), meter_(rows.work_max()) {}

    Result<Ran> run(const Definition& definition, Instance instance, const Event& event) {
        Result<InstanceEffects> effects =
            advance(definition, std::move(instance), event, now_, meter_);
        if (!effects) return effects.error();
        while (!effects->chained_definition.empty()) {
            const DefinitionKey next{effects->instance.key.workspace_id,
                                     effects->chained_definition};
            // Older programs took names that no store can be asked for: nothing has such a name.
            const bool may_exist = next.id.find('\0') == std::string::npos;
            if (may_exist && !rows_.has_asked(next)) return Ran{.missing = {.definitions = {next}}};
            const DefinitionRow* row = may_exist ? rows_.find(next) : nullptr;
            const bool can_start =
                row != nullptr && row->definition->is_native() && !row->definition->steps.empty();
            if (!can_start) {
                // Its work is done all the same: only the successor is missing.
                effects->instance.state.chain_failure =
                    "CHAIN_FAILED: " + no_successor(next.id, row);
                break;
            }
            std::optional<InstanceEffects> started = start_after(*effects, *row);
            if (!started) {
                put_chain_off(*effects, now_);
                break;
            }
            keep(*std::exchange(effects, std::move(*started)));
        }
        return end_with(std::move(*effects));
    }

private:
    // Nothing when the start has to wait for another transaction. A start that is the first thing
    // that its command does never waits: it has all there is.
    std::optional<InstanceEffects> start_after(const InstanceEffects& parent,
                                               const DefinitionRow& row) {
        const bool is_first = meter_.spent() == 0;
        if (!is_first && !has_room_after(parent)) return std::nullopt;
        Result<InstanceEffects> started =
            advance(*row.definition, chained_instance(parent.instance, row.ref, now_), Started{},
                    now_, meter_, parent.automatic_steps);
        MILLRACE_CHECK(started);  // A start fits every instance that has not begun.
        if (!is_first && meter_.is_spent()) return std::nullopt;
        return std::move(*started);
    }

    bool has_room_after(const InstanceEffects& parent) const {
        const WriteSize next = write_size(parent);
        const std::size_t bytes_of_child = parent.instance.variables.text().size();
        return size_.rows + next.rows <= limits::kChainRowsMax &&
               size_.bytes + next.bytes + bytes_of_child <= limits::kChainBytesMax;
    }

    void keep(InstanceEffects effects) {
        const WriteSize size = write_size(effects);
        size_.rows += size.rows;
        size_.bytes += size.bytes;
        ran_.effects.add(std::move(effects));
    }

    Ran end_with(InstanceEffects last) {
        if (std::optional<ExecutionEnd> end = end_of_execution(last.instance, now_)) {
            ran_.effects.executions_ended.push_back(std::move(*end));
        }
        const bool is_chained = !ran_.effects.instances.empty();
        const auto move = is_chained ? move_of_execution(last.instance) : std::nullopt;
        if (move) ran_.effects.executions_moved.push_back(*move);
        ran_.effects.add(std::move(last));
        ran_.effects.work = meter_.total();
        return std::move(ran_);
    }

    const WorkingSet& rows_;
    const Instant now_;
    WorkMeter meter_;
    WriteSize size_{};  // Of what is kept.
    Ran ran_{};
};

}  // namespace

Result<Ran> run_event(const WorkingSet& rows, Instance instance, const Event& event, Instant now) {
    const DefinitionRow* row = rows.definition_of(instance);
    // One whose definition went with its workspace can only be ended, which takes nothing of it.
    const bool is_cancel = std::holds_alternative<CancelRequested>(event);
    if (row == nullptr && !is_cancel) {
        return Error{ErrorCode::internal, "The definition of this instance cannot be read."};
    }
    const bool is_retry = std::holds_alternative<RetryRequested>(event);
    const bool was_over = is_terminal(instance.status) && !is_retry;
    const Definition nothing;
    Result<Ran> ran = Chain(rows, now).run(row == nullptr ? nothing : *row->definition,
                                           std::move(instance), event);
    // Its execution may stand in line again by now: what was over before ends nothing once more.
    if (ran && was_over) ran->effects.executions_ended.clear();
    return ran;
}

Result<Ran> run_start(const WorkingSet& rows, const DefinitionRow& definition, Instance instance,
                      Instant now) {
    return Chain(rows, now).run(*definition.definition, std::move(instance), Started{});
}

Ran run_start_later(Instance instance, Instant now) {
    Ran ran;
    ran.effects.add(put_start_off(std::move(instance), now));
    return ran;
}

Result<Decision<Instance>> answer_with_instance(Result<Ran> ran) {
    if (!ran) return ran.error();
    Decision<Instance> decision{.missing = std::move(ran->missing)};
    if (!decision.missing.empty()) return decision;
    decision.answer = ran->instance();
    decision.effects = std::move(ran->effects);
    return decision;
}

}  // namespace millrace
