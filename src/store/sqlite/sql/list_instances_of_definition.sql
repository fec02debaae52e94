-- Only here. Instances of one definition, newest first.
-- ?1 workspace_id  ?2 definition_id  ?3 status  ?4 business_key (null: any)  ?5 count_max
-- ?6 count_skipped
SELECT workspace_id, id, definition_row_id, definition_id, definition_version, status, business_key,
       variables, state, started_at, completed_at, failure_reason, parent_id
FROM instance
WHERE workspace_id = ?1
  AND definition_id = ?2
  AND (?3 IS NULL OR status = ?3)
  AND ?4 IS NULL
ORDER BY id DESC
LIMIT ?5 OFFSET ?6;
