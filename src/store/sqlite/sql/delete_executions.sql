-- Removes one execution that has expired. One that is gone already is fine.
-- ?1 workspace_id  ?2 id
DELETE FROM execution
WHERE id = ?2 AND workspace_id = ?1;
