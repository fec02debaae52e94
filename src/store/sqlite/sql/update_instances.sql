-- Changes what can change of one instance.
-- ?1 workspace_id  ?2 id  ?3 status  ?4 variables  ?5 state  ?6 completed_at  ?7 failure_reason
UPDATE instance
SET status = ?3,
    variables = ?4,
    state = ?5,
    completed_at = ?6,
    failure_reason = ?7
WHERE workspace_id = ?1 AND id = ?2;
