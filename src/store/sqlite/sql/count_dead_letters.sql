-- How many rows list_dead_letters has without paging, up to a number.
-- ?1 workspace_id  ?2 statuses, each between commas  ?3 definition_id  ?4 concurrency_key
-- ?5 error_reason  ?6 requested_by  ?7 created_from  ?8 created_before  ?9 first id  ?10 last id
-- ?11 count_max
-- A filter that is null lets everything pass.
SELECT count(*)
FROM (
    SELECT 1
    FROM execution INDEXED BY execution_dead
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
    LIMIT ?11
);
