-- The lines of workspaces that compete, the one that got least first. The writer's transaction is
-- their lock.
-- ?1 the lowest virtual time that is worth a look  ?2 count_max
--
-- CROSS JOIN: the index of lines that compete is read in order, and only as far as it takes.
SELECT line.runnable, line.virtual_time, line.rate_tokens, line.rate_counted_at,
       workspace.id, workspace.name, workspace.plan, workspace.max_active, workspace.max_per_key,
       workspace.rate_per_second, workspace.max_attempts, workspace.weight, workspace.is_paused,
       workspace.created_at, workspace.changed_at
FROM workspace_queue AS line
CROSS JOIN workspace ON workspace.id = line.workspace_id
WHERE line.runnable = 1 AND line.virtual_time >= ?1
ORDER BY line.virtual_time, line.workspace_id
LIMIT ?2;
