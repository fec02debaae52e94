-- Reads one instance. The writer's transaction is its lock.
-- ?1 workspace_id  ?2 id
--
-- Whether the definition is still there is read here, for servers keep its content in memory.
SELECT workspace_id, id, definition_row_id, definition_id, definition_version, status, business_key,
       variables, state, started_at, completed_at, failure_reason, parent_id,
       trace_parent, traced, execution_id,
       EXISTS (SELECT 1 FROM definition WHERE row_id = definition_row_id)
FROM instance
WHERE workspace_id = ?1 AND id = ?2;
