-- ?1 id  ?2 variables  ?3 state  ?4 now
INSERT INTO instance (workspace_id, id, definition_row_id, status, variables, state, started_at)
VALUES ('default', ?1, 1, 'ACTIVE', ?2, ?3, ?4);
