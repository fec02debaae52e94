#include "queue/queue_spans.hpp"

#include <utility>

namespace millrace::queue_spans {

TraceContext tell(const observe::Tracer& tracer, const TraceContext& parent, QueueStep step) {
    const TraceContext context = step.context.is_present() ? step.context : tracer.child_of(parent);
    tracer.take({
        .context = context,
        .parent_span_id = parent.span_id,
        .name = std::move(step.name),
        .kind = step.kind,
        .started_at = step.began_at,
        .ended_at = step.ended_at,
        .status = step.error.empty() ? observe::SpanStatus::unset : observe::SpanStatus::error,
        .status_message = std::move(step.error),
        .attributes = std::move(step.attributes),
        .links = std::move(step.links),
    });
    return context;
}

void tell(const observe::Tracer& tracer, const TraceContext& parent, const Statement& statement) {
    const TraceContext step = tell(
        tracer, parent,
        {.name = statement.step, .began_at = statement.began_at, .ended_at = statement.ended_at});
    tell(tracer, step, without_step(statement));
}

QueueStep without_step(const Statement& statement) {
    return {
        .name = statement.operation,
        .began_at = statement.began_at,
        .ended_at = statement.ended_at,
        .attributes = {{"db.collection.name", std::string(statement.table)}},
    };
}

QueueStep item(const Execution& execution, std::string outcome, Instant began_at,
               Instant ended_at) {
    QueueStep step{
        .name = "step:process_item",
        .began_at = began_at,
        .ended_at = ended_at,
        .attributes = {{"millrace.execution.id", to_string(execution.key.id.value)},
                       {"millrace.workspace.id", execution.key.workspace_id.value},
                       {"millrace.definition.id", execution.definition.id},
                       {"millrace.definition.version",
                        static_cast<std::int64_t>(execution.definition.version)},
                       {"millrace.executor", std::string(to_string(execution.executor))},
                       {"millrace.queue.outcome", std::move(outcome)}},
    };
    if (const auto enqueuer = parse_trace_parent(execution.trace_parent)) {
        if (enqueuer->is_sampled) step.links.push_back(*enqueuer);
    }
    return step;
}

bool is_sampled(const std::string& trace_parent) {
    const std::optional<TraceContext> trace = parse_trace_parent(trace_parent);
    return trace && trace->is_sampled;
}

}  // namespace millrace::queue_spans
