-- Removes what belongs to one workspace that is removed.
-- ?1 workspace_id
DELETE FROM workspace
WHERE id = ?1;
