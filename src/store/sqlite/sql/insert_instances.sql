-- Adds one instance.
-- ?1 workspace_id  ?2 id  ?3 definition_row_id  ?4 definition_id  ?5 definition_version  ?6 status
-- ?7 business_key  ?8 variables  ?9 state  ?10 started_at  ?11 completed_at  ?12 failure_reason
-- ?13 parent_id  ?14 trace_parent  ?15 traced  ?16 execution_id
INSERT INTO instance (workspace_id, id, definition_row_id, definition_id, definition_version, status,
                      business_key, variables, state, started_at, completed_at, failure_reason,
                      parent_id, trace_parent, traced, execution_id)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16);
