-- Removes what belongs to one workspace that is removed.
-- ?1 workspace_id
DELETE FROM definition
WHERE workspace_id = ?1;
