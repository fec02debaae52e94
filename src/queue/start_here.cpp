#include "queue/start_here.hpp"

#include "base/trace_context.hpp"
#include "core/queue/transitions.hpp"
#include "queue/find_execution.hpp"
#include "queue/round_trace.hpp"

namespace millrace {

namespace {

Instance first_instance(const WaitingExecution& waiting, const StartTrace& start, Instant now) {
    const Execution& execution = waiting.execution;
    Instance instance{
        .key = first_instance_of(execution.key),
        .definition = execution.definition,
        .variables = waiting.input,
        .started_at = now,
        .execution_id = execution.key.id,
    };
    const auto trace = parse_trace_parent(execution.trace_parent);
    if (trace) {
        instance.state.trace_parent = execution.trace_parent;
        instance.state.is_traced = start.is_recorded && trace->is_sampled;
    } else if (start.round.is_recorded) {
        instance.state.trace_parent =
            trace_parent_text(native_dispatch_of(start.round, execution.key));
        instance.state.is_traced = true;
    }
    return instance;
}

Result<Ran> run(const WorkingSet& rows, const DefinitionRow& definition,
                const WaitingExecution& waiting, const StartTrace& trace, StartMoment moment,
                Instant now) {
    const Execution& execution = waiting.execution;
    if (!execution.is_resuming && moment == StartMoment::later) {
        return run_start_later(first_instance(waiting, trace, now), now);
    }
    if (!execution.is_resuming) {
        return run_start(rows, definition, first_instance(waiting, trace, now), now);
    }
    if (waiting.is_instance_unreadable) {
        return Error{ErrorCode::internal, "the row of its instance cannot be read"};
    }
    const InstanceKey key{execution.instance_id.value_or(InstanceId{}), execution.key.workspace_id};
    const Instance* instance = waiting.instance ? rows.find(key) : nullptr;
    if (instance == nullptr) return Error{ErrorCode::not_found, "its instance is gone"};
    return run_event(rows, *instance, RetryRequested{}, now);
}

}  // namespace

StartedHere start_here(const WorkingSet& rows, const WaitingExecution& waiting,
                       const std::string& owner, const StartTrace& trace, StartMoment moment,
                       Instant now) {
    const Execution& execution = waiting.execution;
    const DefinitionRow* definition = rows.definition_of(execution);
    if (definition == nullptr) return without_definition(rows, execution, now);

    Result<Ran> ran = run(rows, *definition, waiting, trace, moment, now);
    if (!ran) {
        return {failed(execution, failure::kStartFailed,
                       "It could not be started: " + ran.error().detail, now)};
    }
    if (!ran->missing.empty()) return {.missing = std::move(ran->missing)};

    Execution taken = claim(execution, owner, std::nullopt, now);
    const std::int64_t token = taken.claim.token;
    StartedHere started{
        .execution = *dispatched(std::move(taken), token, "", std::nullopt, now),
        .effects = std::move(ran->effects),
    };
    started.execution.instance_id = started.effects.instances.back().key.id;
    return started;
}

StartedHere without_definition(const WorkingSet& rows, Execution execution, Instant now) {
    const DefinitionRef& ref = execution.definition;
    const DefinitionKey latest{execution.key.workspace_id, ref.id};
    if (!rows.has_asked(latest)) return {.missing = {.definitions = {latest}}};
    if (rows.find(latest) == nullptr) {
        const std::string message = "There is no definition \"" + ref.id + "\" any more";
        return {failed(std::move(execution), failure::kDefinitionNotFound, message, now)};
    }
    const std::string message = "There is no version " + std::to_string(ref.version) +
                                " of definition \"" + ref.id + "\" any more";
    return {failed(std::move(execution), failure::kVersionNotFound, message, now)};
}

}  // namespace millrace
