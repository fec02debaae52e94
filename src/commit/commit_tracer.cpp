#include "commit/commit_tracer.hpp"

#include <algorithm>

#include "core/instance/tracing.hpp"

namespace millrace {

namespace {

using observe::Span;
using observe::SpanStatus;

std::int64_t count_of(std::size_t size) {
    return static_cast<std::int64_t>(size);
}

std::string id_text(const InstanceId& id) {
    return to_string(id.value);
}

// A refusal is an answer, too; only what broke is a failure.
bool has_failed(const Status& status) {
    if (status) return false;
    const ErrorCode code = status.error().code;
    return code == ErrorCode::unavailable || code == ErrorCode::commit_unknown ||
           code == ErrorCode::internal;
}

SpanStatus status_of(const Status& status) {
    return has_failed(status) ? SpanStatus::error : SpanStatus::unset;
}

std::string outcome_text(const Status& status) {
    if (status) return "OK";
    return has_failed(status) ? "FAILED" : "REFUSED";
}

// What a command is about: the instance that it has moved, or would have.
const InstanceKey* instance_of(const Ticket& ticket) {
    if (ticket.instance_moved) return &*ticket.instance_moved;
    const std::vector<InstanceKey>& needed = ticket.command->rows_needed().instances;
    return needed.empty() ? nullptr : &needed.front();
}

// Of a batch, where they stand sorted by key.
const Instance* find_instance(const Writes& writes, const InstanceKey& key) {
    for (const std::vector<Instance>* instances :
         {&writes.instances_new, &writes.instances_changed}) {
        const auto found = std::ranges::lower_bound(*instances, key, {}, &Instance::key);
        if (found != instances->end() && found->key == key) return &*found;
    }
    return nullptr;
}

Span command_span(const Ticket& ticket, const Status& status, const TraceContext& context,
                  Instant ended_at) {
    Span span{
        .context = context,
        .parent_span_id = ticket.trace.request.span_id,
        .name = std::string(ticket.command->name()),
        .started_at = ticket.trace.submitted_at,
        .ended_at = ended_at,
        .status = status_of(status),
        .status_message = status ? "" : status.error().detail,
        .attributes = {{"millrace.command.outcome", outcome_text(status)}},
    };
    if (const InstanceKey* instance = instance_of(ticket)) {
        span.attributes.push_back({"millrace.instance.id", id_text(instance->id)});
        span.attributes.push_back({"millrace.workspace.id", instance->workspace_id.value});
    }
    return span;
}

Span job_span(const StepExecution& line, const TraceContext& instance) {
    const JobId job = job_of(line.key.id);
    Span span{
        .context = instance.at(span_id_of(job.value)),
        .parent_span_id = instance.span_id,
        .name = "job " + line.step_id,
        .started_at = line.started_at,
        .ended_at = line.ended_at.value_or(line.started_at),
        .status = *line.job_status == JobState::failed ? SpanStatus::error : SpanStatus::unset,
        .status_message = line.failure_reason.value_or(""),
        .attributes = {{"millrace.job.id", to_string(job.value)},
                       {"millrace.job.status", std::string(to_string(*line.job_status))},
                       {"millrace.job.tries", count_of(line.tries.size())},
                       {"millrace.step.id", line.step_id},
                       {"millrace.instance.id", id_text(instance_of(line.key.id))},
                       {"millrace.workspace.id", line.key.workspace_id.value}},
    };
    if (!line.tries.empty()) {
        span.attributes.push_back({"millrace.worker.id", line.tries.back().worker_id.value});
    }
    return span;
}

Span instance_span(const Instance& instance, const TraceContext& context) {
    const bool is_failed = instance.status == InstanceStatus::failed;
    return {
        .context = context,
        .parent_span_id = parse_trace_parent(instance.state.trace_parent)->span_id,
        .name = "instance " + instance.definition.id,
        .started_at = instance.started_at,
        .ended_at = *instance.completed_at,
        .status = is_failed ? SpanStatus::error : SpanStatus::unset,
        .status_message = is_failed ? instance.failure_reason.value_or("") : "",
        .attributes = {{"millrace.instance.id", id_text(instance.key.id)},
                       {"millrace.instance.status", std::string(to_string(instance.status))},
                       {"millrace.definition.id", instance.definition.id},
                       {"millrace.definition.version", std::int64_t{instance.definition.version}},
                       {"millrace.workspace.id", instance.key.workspace_id.value}},
    };
}

}  // namespace

void CommitTracer::on_batch_end(const BatchEnd& batch) const {
    if (!tracer_.is_on()) return;
    tell_of_commands(batch);
    if (!batch.status) return;
    tell_of_jobs(batch.writes);
    tell_of_instances(batch.writes.instances_new, batch.decided_at);
    tell_of_instances(batch.writes.instances_changed, batch.decided_at);
}

void CommitTracer::tell_of_commands(const BatchEnd& batch) const {
    std::vector<TraceContext> contexts;
    for (const Ticket& ticket : batch.tickets) {
        if (!ticket.trace.request.is_recorded) continue;
        const TraceContext context = tracer_.child_of(ticket.trace.request);
        const Status& outcome = batch.status ? ticket.verdict : batch.status;
        tracer_.take(command_span(ticket, outcome, context, batch.ended_at));
        contexts.push_back(context);
    }
    if (!contexts.empty()) tell_of_batch(batch, std::move(contexts));
}

// A batch belongs to many requests, so it is under none of them.
void CommitTracer::tell_of_batch(const BatchEnd& batch, std::vector<TraceContext> commands) const {
    tracer_.take({
        .context = tracer_.begin(),
        .name = "batch",
        .started_at = batch.began_at,
        .ended_at = batch.ended_at,
        .status = status_of(batch.status),
        .status_message = batch.status ? "" : batch.status.error().detail,
        .attributes = {{"millrace.batch.commands", count_of(batch.tickets.size())},
                       {"millrace.batch.tries", std::int64_t{batch.tries}},
                       {"millrace.batch.load_us", (batch.decided_at - batch.began_at).count()},
                       {"millrace.batch.apply_us", (batch.ended_at - batch.decided_at).count()},
                       {"millrace.batch.outcome", outcome_text(batch.status)}},
        .links = std::move(commands),
    });
}

void CommitTracer::tell_of_jobs(const Writes& writes) const {
    for (const StepExecution& line : writes.step_executions) {
        if (!line.job_status) continue;
        const Instance* instance =
            find_instance(writes, {instance_of(line.key.id), line.key.workspace_id});
        if (instance == nullptr) continue;
        const std::optional<TraceContext> context = trace_context_of(*instance);
        if (context) tracer_.take(job_span(line, *context));
    }
}

// One that ended earlier may still have its variables changed: only this batch's ends count.
void CommitTracer::tell_of_instances(const std::vector<Instance>& instances,
                                     Instant decided_at) const {
    for (const Instance& instance : instances) {
        if (instance.completed_at != decided_at) continue;
        const std::optional<TraceContext> context = trace_context_of(instance);
        if (context) tracer_.take(instance_span(instance, *context));
    }
}

}  // namespace millrace
