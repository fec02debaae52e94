-- Reads one execution. The writer's transaction is its lock.
-- ?1 workspace_id  ?2 id
--
-- In which line it stands, its open row knows best: parked ones are called there alone.
SELECT
    execution.workspace_id, execution.id, execution.definition_row_id, execution.definition_id,
    execution.definition_version, execution.queue_status, coalesce(open.place, execution.place),
    execution.rank_at, execution.due_at, execution.priority, execution.not_before,
    execution.deadline, execution.concurrency_key, execution.requested_by, execution.created_at,
    execution.claimed_at, execution.dispatched_at, execution.started_at, execution.completed_at,
    execution.attempt_count, execution.deferrals, execution.recoveries, execution.next_attempt_at,
    execution.last_error, execution.error_reason, execution.error_message, execution.claim_token,
    execution.claim_owner, execution.executor, execution.target, execution.run_id,
    execution.first_try_at, execution.cancel_requested_at, execution.is_forced,
    execution.is_resuming, execution.instance_id, execution.retry_of, execution.retried_by,
    execution.dismissed_at, execution.trace_parent
FROM execution
LEFT JOIN execution_open AS open
    ON open.id = execution.id AND open.workspace_id = execution.workspace_id
WHERE execution.id = ?2 AND execution.workspace_id = ?1;
