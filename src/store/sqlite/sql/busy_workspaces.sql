-- Workspaces with open executions, sorted, behind the one given.
-- ?1 workspace_id  ?2 count_max
SELECT workspace.id
FROM workspace
WHERE workspace.id > ?1
  AND (EXISTS (SELECT 1 FROM execution_open WHERE place = 'READY' AND workspace_id = workspace.id)
       OR EXISTS (SELECT 1 FROM execution_open WHERE place = 'ACTIVE' AND workspace_id = workspace.id)
       OR EXISTS (SELECT 1 FROM execution_open WHERE place = 'PARKED' AND workspace_id = workspace.id)
       OR EXISTS (SELECT 1 FROM execution_open WHERE place = 'DUE' AND workspace_id = workspace.id))
ORDER BY workspace.id
LIMIT ?2;
