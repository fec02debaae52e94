-- Locked jobs of all workspaces whose lease has run out, the longest overdue first.
-- $1 now  $2 count_max
SELECT workspace_id, id
FROM job
WHERE status = 'LOCKED' AND lock_expires_at <= $1::timestamptz
ORDER BY lock_expires_at, id
LIMIT $2::bigint;
