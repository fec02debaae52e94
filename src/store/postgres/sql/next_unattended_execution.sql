-- When the next active execution has to be looked at.
-- $1 queue_status, or null for any
SELECT min(due_at)
FROM execution_open
WHERE place = 'ACTIVE' AND due_at IS NOT NULL
  AND ($1::text IS NULL OR queue_status = $1::text);
