-- Removes what belongs to workspaces that are removed.
-- $1 workspace_id[]
DELETE FROM workspace_queue
WHERE workspace_id = ANY ($1::text[]);
