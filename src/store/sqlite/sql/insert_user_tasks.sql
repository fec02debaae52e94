-- Adds one user task.
-- ?1 workspace_id  ?2 id  ?3 definition_id  ?4 definition_version  ?5 step_id  ?6 name  ?7 status
-- ?8 assignee  ?9 candidate_groups  ?10 created_at  ?11 claimed_at  ?12 ended_at  ?13 completed_by
INSERT INTO user_task (workspace_id, id, definition_id, definition_version, step_id, name, status,
                       assignee, candidate_groups, created_at, claimed_at, ended_at, completed_by)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13);
