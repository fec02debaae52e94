-- The first workspace behind the given one that has audit entries.
-- ?1 workspace_id
SELECT workspace_id
FROM audit_entry
WHERE workspace_id > ?1
ORDER BY workspace_id
LIMIT 1;
