-- One instance.
-- ?1 workspace_id  ?2 id
SELECT workspace_id, id, definition_row_id, definition_id, definition_version, status, business_key,
       variables, state, started_at, completed_at, failure_reason, parent_id,
       trace_parent, traced, execution_id
FROM instance
WHERE workspace_id = ?1 AND id = ?2;
