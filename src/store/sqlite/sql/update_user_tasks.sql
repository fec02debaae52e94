-- Changes what can change of one user task.
-- ?1 workspace_id  ?2 id  ?3 status  ?4 assignee  ?5 claimed_at  ?6 ended_at  ?7 completed_by
UPDATE user_task
SET status = ?3,
    assignee = ?4,
    claimed_at = ?5,
    ended_at = ?6,
    completed_by = ?7
WHERE workspace_id = ?1 AND id = ?2;
