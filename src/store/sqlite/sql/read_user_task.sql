-- One user task.
-- ?1 workspace_id  ?2 id
SELECT workspace_id, id, definition_id, definition_version, step_id, name, status, assignee,
       candidate_groups, created_at, claimed_at, ended_at, completed_by
FROM user_task
WHERE workspace_id = ?1 AND id = ?2;
