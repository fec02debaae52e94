-- The first workspace behind the given one that has ready executions, and whether it exists. Called
-- for one after the other, which skips through the index of ready ones.
-- ?1 workspace_id
SELECT ready.workspace_id,
       EXISTS (SELECT 1 FROM workspace WHERE workspace.id = ready.workspace_id)
FROM execution_open AS ready
WHERE ready.place = 'READY' AND ready.workspace_id > ?1
ORDER BY ready.workspace_id
LIMIT 1;
