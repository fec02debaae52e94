-- Removes what belongs to workspaces that are removed.
-- $1 workspace_id[]
DELETE FROM workspace
WHERE id = ANY ($1::text[]);
