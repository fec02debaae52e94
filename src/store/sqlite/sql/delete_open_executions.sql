-- Removes the row of an execution that is over. One that is gone already is fine.
-- ?1 workspace_id  ?2 id
DELETE FROM execution_open
WHERE id = ?2 AND workspace_id = ?1;
