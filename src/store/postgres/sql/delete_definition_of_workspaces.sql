-- Removes what belongs to workspaces that are removed.
-- $1 workspace_id[]
DELETE FROM definition
WHERE workspace_id = ANY ($1::text[]);
