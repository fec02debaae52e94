-- Dead letters of one workspace that look alike, the largest group first.
-- ?1 workspace_id  ?2 count_max
WITH letter AS (
    SELECT definition_id, error_reason, error_message, id,
           count(*) OVER alike AS count,
           min(completed_at) OVER alike AS first_at,
           max(completed_at) OVER alike AS last_at,
           row_number() OVER (alike ORDER BY id DESC) AS place
    FROM execution INDEXED BY execution_dead
    WHERE workspace_id = ?1 AND queue_status = 'FAILED' AND dismissed_at IS NULL
      AND retried_by IS NULL
    WINDOW alike AS (PARTITION BY definition_id, error_reason, error_group)
)
SELECT definition_id, error_reason, error_message, count, first_at, last_at, id
FROM letter
WHERE place = 1
ORDER BY count DESC, last_at DESC, id
LIMIT ?2;
