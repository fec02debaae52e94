-- Reads executions that lock_executions has locked, sorted by id.
-- $1 workspace_id[]  $2 id[]  $3 workspace_id[] of instances  $4 id[] of instances
--
-- In which line one stands, its open row knows best: parked ones are called there alone.
WITH asked AS MATERIALIZED (
    SELECT given.workspace_id, given.id
    FROM unnest($1::text[], $2::uuid[]) AS given (workspace_id, id)
    UNION
    SELECT instance.workspace_id, instance.execution_id
    FROM unnest($3::text[], $4::uuid[]) AS given (workspace_id, id)
    JOIN instance ON instance.workspace_id = given.workspace_id AND instance.id = given.id
    WHERE instance.execution_id IS NOT NULL
)
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
FROM asked
JOIN execution ON execution.id = asked.id AND execution.workspace_id = asked.workspace_id
LEFT JOIN execution_open AS open ON open.id = asked.id AND open.workspace_id = asked.workspace_id
ORDER BY execution.id, execution.workspace_id;
