-- Adds one user task.
-- ?1 workspace_id  ?2 id  ?3 step_id  ?4 created_at
INSERT INTO user_task (workspace_id, id, step_id, created_at)
VALUES (?1, ?2, ?3, ?4);
