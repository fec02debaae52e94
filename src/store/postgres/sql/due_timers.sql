-- Timers of all workspaces that are due, the longest overdue first.
-- $1 now  $2 count_max
SELECT workspace_id, id
FROM timer
WHERE fire_at <= $1::timestamptz
ORDER BY fire_at, id
LIMIT $2::bigint;
