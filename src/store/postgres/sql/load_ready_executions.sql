-- Locks the first ready executions of workspaces whose lines are locked, and reads them. Those that
-- somebody else has locked are left out.
-- $1 workspace_id[]  $2 count_max[]
SELECT line.place,
       execution.workspace_id, execution.id, execution.definition_row_id, execution.definition_id,
       execution.definition_version, execution.queue_status, 'READY', execution.rank_at,
       execution.due_at, execution.priority, execution.not_before, execution.deadline,
       execution.concurrency_key, execution.requested_by, execution.created_at, execution.claimed_at,
       execution.dispatched_at, execution.started_at, execution.completed_at, execution.attempt_count,
       execution.deferrals, execution.recoveries, execution.next_attempt_at, execution.last_error,
       execution.error_reason, execution.error_message, execution.claim_token, execution.claim_owner,
       execution.executor, execution.target, execution.run_id, execution.first_try_at,
       execution.cancel_requested_at, execution.is_forced, execution.is_resuming,
       execution.instance_id, execution.retry_of, execution.retried_by, execution.dismissed_at,
       execution.trace_parent,
       execution.input,
       CASE WHEN execution.concurrency_key IS NULL THEN 0 ELSE (
           SELECT count(*)
           FROM execution_open AS active
           WHERE active.place = 'ACTIVE'
             AND active.workspace_id = execution.workspace_id
             AND active.concurrency_key = execution.concurrency_key) END,
       EXISTS (SELECT FROM definition WHERE row_id = execution.definition_row_id)
FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS line (workspace_id, count_max, place)
CROSS JOIN LATERAL (
    SELECT open.id, open.rank_at
    FROM execution_open AS open
    WHERE open.place = 'READY' AND open.workspace_id = line.workspace_id
    ORDER BY open.rank_at, open.id
    LIMIT line.count_max
) AS ready
JOIN execution ON execution.id = ready.id AND execution.workspace_id = line.workspace_id
WHERE execution.queue_status = 'PENDING'
ORDER BY line.place, ready.rank_at, ready.id
FOR NO KEY UPDATE OF execution SKIP LOCKED;
