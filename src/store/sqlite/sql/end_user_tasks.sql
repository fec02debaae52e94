-- Ends one user task that need not be loaded.
-- ?1 workspace_id  ?2 id  ?3 status  ?4 ended_at  ?5 completed_by
UPDATE user_task
SET status = ?3,
    ended_at = ?4,
    completed_by = ?5
WHERE workspace_id = ?1 AND id = ?2;
