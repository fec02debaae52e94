-- Instances of any definition and business key, newest first.
-- ?1 workspace_id  ?2 definition_id  ?3 status  ?4 business_key (null: any)  ?5 count_max
-- ?6 count_skipped
--
-- Plans do not look at parameters: each index has a statement of its own.
SELECT workspace_id, id, definition_row_id, definition_id, definition_version, status, business_key,
       variables, state, started_at, completed_at, failure_reason, parent_id
FROM instance
WHERE workspace_id = ?1
  AND ?2 IS NULL
  AND (?3 IS NULL OR status = ?3)
  AND ?4 IS NULL
ORDER BY id DESC
LIMIT ?5 OFFSET ?6;
