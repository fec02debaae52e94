-- Locks the lines of workspaces that compete, the one that got least first. Those that another admission
-- has locked are left out.
-- $1 the lowest virtual time that is worth a look  $2 count_max
--
-- What their workspaces say is read in a statement of its own afterwards: load_workspaces.
SELECT workspace_id, runnable, virtual_time, rate_tokens, rate_counted_at
FROM workspace_queue
WHERE runnable AND virtual_time >= $1::double precision
ORDER BY virtual_time, workspace_id
LIMIT $2::bigint
FOR NO KEY UPDATE SKIP LOCKED;
