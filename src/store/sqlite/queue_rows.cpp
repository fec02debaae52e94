#include "store/sqlite/queue_rows.hpp"

#include <cmath>

#include "store/sqlite/rows.hpp"

namespace millrace::sqlite {

namespace {

std::optional<std::int32_t> optional_int32(const Row& row, int column) {
    if (row.is_null(column)) return std::nullopt;
    return int32_from(row, column);
}

// Nothing can be reckoned with infinity, which SQL may bring.
std::optional<double> optional_real(const Row& row, int column) {
    if (row.is_null(column) || !std::isfinite(row.real(column))) return std::nullopt;
    return row.real(column);
}

}  // namespace

Result<Execution> execution_from(const Row& row) {
    const Result<ExecutionKey> key = key_from<ExecutionKey>(row);
    if (!key) return key.error();
    const std::optional<QueueStatus> queue_status = parse_queue_status(row.text(5));
    const std::optional<QueuePlace> place = parse_queue_place(row.text(6));
    const std::optional<ExecutorKind> executor = parse_executor_kind(row.text(28));
    if (!queue_status || !place || !executor) {
        return Error{ErrorCode::internal, "A stored execution is corrupt."};
    }
    return Execution{
        .key = *key,
        .definition = {row.integer(2), string_from(row, 3), int32_from(row, 4)},
        .queue_status = *queue_status,
        .place = *place,
        .priority = int32_from(row, 9),
        .rank_at = row.instant(7),
        .not_before = optional_instant(row, 10),
        .deadline = optional_instant(row, 11),
        .concurrency_key = string_from(row, 12),
        .requested_by = string_from(row, 13),
        .created_at = row.instant(14),
        .claimed_at = optional_instant(row, 15),
        .dispatched_at = optional_instant(row, 16),
        .started_at = optional_instant(row, 17),
        .completed_at = optional_instant(row, 18),
        .attempt_count = int32_from(row, 19),
        .deferrals = int32_from(row, 20),
        .recoveries = int32_from(row, 21),
        .next_attempt_at = optional_instant(row, 22),
        .last_error = string_from(row, 23),
        .error_reason = string_from(row, 24),
        .error_message = string_from(row, 25),
        .claim = {row.integer(26), string_from(row, 27)},
        .due_at = optional_instant(row, 8),
        .executor = *executor,
        .target = string_from(row, 29),
        .run_id = string_from(row, 30),
        .first_try_at = optional_instant(row, 31),
        .cancel_requested_at = optional_instant(row, 32),
        .is_forced = row.integer(33) != 0,
        .is_resuming = row.integer(34) != 0,
        .instance_id = optional_id<InstanceId>(row, 35),
        .retry_of = optional_id<ExecutionId>(row, 36),
        .retried_by = optional_id<ExecutionId>(row, 37),
        .dismissed_at = optional_instant(row, 38),
        .trace_parent = string_from(row, 39),
    };
}

LineState line_from(const Row& row, int column) {
    return {
        .virtual_time = optional_real(row, column + 1).value_or(0),
        .is_runnable = row.integer(column) != 0,
        .rate = {optional_real(row, column + 2).value_or(0), optional_instant(row, column + 3)},
    };
}

Workspace workspace_from(const Row& row, int column) {
    return {
        .id = {string_from(row, column)},
        .name = string_from(row, column + 1),
        .plan = string_from(row, column + 2),
        .max_active = optional_int32(row, column + 3),
        .max_per_key = optional_int32(row, column + 4),
        .rate_per_second = optional_real(row, column + 5),
        .max_attempts = optional_int32(row, column + 6),
        .weight = int32_from(row, column + 7),
        .is_paused = row.integer(column + 8) != 0,
        .created_at = row.instant(column + 9),
        .changed_at = row.instant(column + 10),
    };
}

}  // namespace millrace::sqlite
