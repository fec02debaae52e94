-- Locks the lines of workspaces that compete, the one that got least first. Those that another admission
-- has locked are left out.
-- $1 the lowest virtual time that is worth a look  $2 count_max
SELECT line.runnable, line.virtual_time, line.rate_tokens, line.rate_counted_at,
       workspace.id, workspace.name, workspace.plan, workspace.max_active, workspace.max_per_key,
       workspace.rate_per_second, workspace.max_attempts, workspace.weight, workspace.is_paused,
       workspace.created_at, workspace.changed_at
FROM workspace_queue AS line
JOIN workspace ON workspace.id = line.workspace_id
WHERE line.runnable AND line.virtual_time >= $1::double precision
ORDER BY line.virtual_time, line.workspace_id
LIMIT $2::bigint
FOR NO KEY UPDATE OF line SKIP LOCKED;
