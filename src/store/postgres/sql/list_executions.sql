-- Executions, newest first.
-- $1 workspace_id  $2 statuses, each between commas  $3 definition_id  $4 concurrency_key
-- $5 error_reason  $6 requested_by  $7 created_from  $8 created_before  $9 1: dead letters only
-- $10 first id  $11 last id  $12 count_max  $13 count_skipped
-- A filter that is null lets everything pass.
--
-- Planned anew for each call, so that a null drops its condition and the others choose the index.
SELECT
    execution.workspace_id, execution.id, execution.definition_row_id, execution.definition_id,
    execution.definition_version, execution.queue_status, coalesce(open.place, execution.place),
    execution.rank_at, execution.due_at, execution.priority, execution.not_before, execution.deadline,
    execution.concurrency_key, execution.requested_by, execution.created_at, execution.claimed_at,
    execution.dispatched_at, execution.started_at, execution.completed_at, execution.attempt_count,
    execution.deferrals, execution.recoveries, execution.next_attempt_at, execution.last_error,
    execution.error_reason, execution.error_message, execution.claim_token, execution.claim_owner,
    execution.executor, execution.target, execution.run_id, execution.first_try_at,
    execution.cancel_requested_at, execution.is_forced, execution.is_resuming, execution.instance_id,
    execution.retry_of, execution.retried_by, execution.dismissed_at, execution.trace_parent
FROM execution
LEFT JOIN execution_open AS open ON open.id = execution.id AND open.workspace_id = execution.workspace_id
WHERE execution.workspace_id = $1::text
  AND ($2::text IS NULL OR strpos($2::text, ',' || execution.queue_status || ',') > 0)
  AND ($3::text IS NULL OR execution.definition_id = $3::text)
  AND ($4::text IS NULL OR execution.concurrency_key = $4::text)
  AND ($5::text IS NULL OR execution.error_reason = $5::text)
  AND ($6::text IS NULL OR execution.requested_by = $6::text)
  AND ($7::timestamptz IS NULL OR execution.created_at >= $7::timestamptz)
  AND ($8::timestamptz IS NULL OR execution.created_at < $8::timestamptz)
  AND ($9::integer IS NULL OR (execution.queue_status = 'FAILED'
       AND execution.dismissed_at IS NULL AND execution.retried_by IS NULL))
  AND execution.id >= $10::uuid AND execution.id <= $11::uuid
ORDER BY execution.id DESC
LIMIT $12::bigint OFFSET $13::bigint;
