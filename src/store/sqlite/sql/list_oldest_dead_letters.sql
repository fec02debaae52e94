-- Only here. Dead letters, oldest first.
-- ?1 workspace_id  ?2 statuses, each between commas  ?3 definition_id  ?4 concurrency_key
-- ?5 error_reason  ?6 requested_by  ?7 created_from  ?8 created_before  ?9 first id  ?10 last id
-- ?11 count_max  ?12 count_skipped
-- A filter that is null lets everything pass.
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
FROM execution INDEXED BY execution_dead
LEFT JOIN execution_open AS open
    ON open.id = execution.id AND open.workspace_id = execution.workspace_id
WHERE execution.workspace_id = ?1
  AND execution.queue_status = 'FAILED' AND execution.dismissed_at IS NULL
  AND execution.retried_by IS NULL
  AND (?2 IS NULL OR instr(?2, ',' || execution.queue_status || ',') > 0)
  AND (?3 IS NULL OR execution.definition_id = ?3)
  AND (?4 IS NULL OR execution.concurrency_key = ?4)
  AND (?5 IS NULL OR execution.error_reason = ?5)
  AND (?6 IS NULL OR execution.requested_by = ?6)
  AND (?7 IS NULL OR execution.created_at >= ?7)
  AND (?8 IS NULL OR execution.created_at < ?8)
  AND execution.id >= ?9 AND execution.id <= ?10
ORDER BY execution.id
LIMIT ?11 OFFSET ?12;
