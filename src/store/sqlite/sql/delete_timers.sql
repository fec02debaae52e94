-- Removes one row that is over. One that is gone already is fine.
-- ?1 workspace_id  ?2 id
DELETE FROM timer
WHERE workspace_id = ?1 AND id = ?2;
