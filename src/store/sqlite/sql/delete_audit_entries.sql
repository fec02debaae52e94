-- Removes one row that has expired. One that is gone already is fine.
-- ?1 workspace_id  ?2 id
DELETE FROM audit_entry
WHERE workspace_id = ?1 AND id = ?2;
