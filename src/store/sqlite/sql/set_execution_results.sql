-- Notes what one run has brought.
-- ?1 workspace_id  ?2 id  ?3 result
UPDATE execution
SET result = ?3
WHERE id = ?2 AND workspace_id = ?1;
