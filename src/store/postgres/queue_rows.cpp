#include "store/postgres/queue_rows.hpp"

#include <cmath>

namespace millrace::postgres {

namespace {

template <class Tag>
std::optional<Id<Tag>> optional_id_of(Fields& fields) {
    const std::optional<Id128> value = fields.optional_id();
    if (!value) return std::nullopt;
    return Id<Tag>{*value};
}

std::string text_or_empty(Fields& fields) {
    return std::string(fields.optional_text().value_or(""));
}

// From claimed_at to the last error.
void decode_tries(Fields& fields, Execution& execution) {
    execution.claimed_at = fields.optional_instant();
    execution.dispatched_at = fields.optional_instant();
    execution.started_at = fields.optional_instant();
    execution.completed_at = fields.optional_instant();
    execution.attempt_count = fields.int32();
    execution.deferrals = fields.int32();
    execution.recoveries = fields.int32();
    execution.next_attempt_at = fields.optional_instant();
    execution.last_error = text_or_empty(fields);
    execution.error_reason = text_or_empty(fields);
    execution.error_message = text_or_empty(fields);
}

// From target to the trace.
void decode_run(Fields& fields, Execution& execution) {
    execution.target = text_or_empty(fields);
    execution.run_id = text_or_empty(fields);
    execution.first_try_at = fields.optional_instant();
    execution.cancel_requested_at = fields.optional_instant();
    execution.is_forced = fields.int32() != 0;
    execution.is_resuming = fields.int32() != 0;
    execution.instance_id = optional_id_of<InstanceTag>(fields);
    execution.retry_of = optional_id_of<ExecutionTag>(fields);
    execution.retried_by = optional_id_of<ExecutionTag>(fields);
    execution.dismissed_at = fields.optional_instant();
    execution.trace_parent = text_or_empty(fields);
}

}  // namespace

Result<Execution> decode_execution(Fields& fields) {
    Execution execution;
    execution.key.workspace_id.value = fields.text();
    execution.key.id.value = fields.id();
    execution.definition.row_id = fields.int64();
    execution.definition.id = fields.text();
    execution.definition.version = fields.int32();
    const std::optional<QueueStatus> status = parse_queue_status(fields.text());
    const std::optional<QueuePlace> place = parse_queue_place(fields.text());
    execution.rank_at = fields.instant();
    execution.due_at = fields.optional_instant();
    execution.priority = fields.int32();
    execution.not_before = fields.optional_instant();
    execution.deadline = fields.optional_instant();
    execution.concurrency_key = text_or_empty(fields);
    execution.requested_by = text_or_empty(fields);
    execution.created_at = fields.instant();
    decode_tries(fields, execution);
    execution.claim.token = fields.int64();
    execution.claim.owner = text_or_empty(fields);
    const std::optional<ExecutorKind> executor = parse_executor_kind(fields.text());
    decode_run(fields, execution);

    if (!status || !place || !executor || fields.is_corrupt()) {
        return Error{ErrorCode::internal,
                     "The row of execution " + to_string(execution.key.id.value) + " is corrupt."};
    }
    execution.queue_status = *status;
    execution.place = *place;
    execution.executor = *executor;
    return execution;
}

Result<Workspace> decode_workspace_row(Fields& fields) {
    Workspace workspace;
    workspace.id.value = fields.text();
    workspace.name = fields.text();
    workspace.plan = fields.text();
    workspace.max_active = fields.optional_int32();
    workspace.max_per_key = fields.optional_int32();
    workspace.rate_per_second = fields.optional_float64();
    workspace.max_attempts = fields.optional_int32();
    workspace.weight = fields.int32();
    workspace.is_paused = fields.int32() != 0;
    workspace.created_at = fields.instant();
    workspace.changed_at = fields.instant();
    const bool is_sound = std::isfinite(workspace.rate_per_second.value_or(0));
    if (!is_sound || fields.is_corrupt()) {
        return Error{ErrorCode::internal,
                     "The row of workspace " + workspace.id.value + " is corrupt."};
    }
    return workspace;
}

LineState decode_line(Fields& fields) {
    LineState state;
    state.is_runnable = fields.boolean();
    // Nothing can be reckoned with NaN or infinity, which SQL may bring: such a line begins anew.
    const auto finite = [](double number) {
        return std::isfinite(number) ? number : 0;
    };
    state.virtual_time = finite(fields.float64());
    state.rate.tokens = finite(fields.float64());
    state.rate.counted_at = fields.optional_instant();
    return state;
}

}  // namespace millrace::postgres
