-- Locks ready executions of workspaces that are gone, and reads them.
-- $1 workspace_id[]  $2 count_max
SELECT
    execution.workspace_id, execution.id, execution.definition_row_id, execution.definition_id,
    execution.definition_version, execution.queue_status, open.place, execution.rank_at,
    execution.due_at, execution.priority, execution.not_before, execution.deadline,
    execution.concurrency_key, execution.requested_by, execution.created_at, execution.claimed_at,
    execution.dispatched_at, execution.started_at, execution.completed_at, execution.attempt_count,
    execution.deferrals, execution.recoveries, execution.next_attempt_at, execution.last_error,
    execution.error_reason, execution.error_message, execution.claim_token, execution.claim_owner,
    execution.executor, execution.target, execution.run_id, execution.first_try_at,
    execution.cancel_requested_at, execution.is_forced, execution.is_resuming, execution.instance_id,
    execution.retry_of, execution.retried_by, execution.dismissed_at, execution.trace_parent
FROM execution_open AS open
JOIN execution ON execution.id = open.id AND execution.workspace_id = open.workspace_id
WHERE open.place = 'READY' AND open.workspace_id = ANY ($1::text[])
  AND execution.queue_status = 'PENDING'
ORDER BY execution.id
LIMIT $2::bigint
FOR NO KEY UPDATE OF execution, open SKIP LOCKED;
