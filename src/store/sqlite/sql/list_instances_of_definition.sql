-- Only here. Instances of one definition, newest first.
-- ?1 workspace_id  ?2 definition_id  ?3 statuses, each between commas  ?4 business_key
-- ?5 definition_version  ?6 started_from  ?7 started_before  ?8 is_suspended  ?9 part of a text
-- ?10 first id  ?11 last id  ?12 count_max  ?13 count_skipped
-- A filter that is null lets everything pass.
SELECT workspace_id, id, definition_row_id, definition_id, definition_version, status, business_key,
       variables, state, started_at, completed_at, failure_reason, parent_id,
       trace_parent, traced, execution_id
FROM instance
WHERE workspace_id = ?1
  AND definition_id = ?2
  AND (?3 IS NULL OR instr(?3, ',' || status || ',') > 0)
  AND ?4 IS NULL
  AND (?5 IS NULL OR definition_version = ?5)
  AND (?6 IS NULL OR started_at >= ?6)
  AND (?7 IS NULL OR started_at < ?7)
  AND (?8 IS NULL OR (instr(state, '"suspended":1') > 0) = ?8)
  AND (?9 IS NULL OR instr(lower(business_key), lower(?9)) > 0
       OR instr(lower(definition_id), lower(?9)) > 0
       OR instr(lower(failure_reason), lower(?9)) > 0
       OR instr(lower(variables), lower(?9)) > 0)
  AND id >= ?10 AND id <= ?11
ORDER BY id DESC
LIMIT ?12 OFFSET ?13;
