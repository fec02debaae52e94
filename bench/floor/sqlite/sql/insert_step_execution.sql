-- ?1 id  ?2 tries  ?3 now
INSERT INTO step_execution (workspace_id, id, step_id, step_type, status, started_at, ended_at, tries)
VALUES ('default', ?1, 'work', 'SERVICE_TASK', 'COMPLETED', ?3, ?3, ?2);
