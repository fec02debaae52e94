-- Active executions that somebody has to look at, the longest overdue first.
-- ?1 now  ?2 count_max  ?3 queue_status, or null for any
SELECT workspace_id, id
FROM execution_open
WHERE place = 'ACTIVE' AND due_at IS NOT NULL AND due_at <= ?1
  AND (?3 IS NULL OR queue_status = ?3)
ORDER BY due_at
LIMIT ?2;
