-- Changes what can change of one job.
-- ?1 workspace_id  ?2 id  ?3 status  ?4 retries_remaining  ?5 seq  ?6 lease_token  ?7 worker_id
-- ?8 locked_at  ?9 lock_expires_at  ?10 variables
UPDATE job
SET status = ?3,
    retries_remaining = ?4,
    seq = ?5,
    lease_token = ?6,
    worker_id = ?7,
    locked_at = ?8,
    lock_expires_at = ?9,
    variables = ?10
WHERE workspace_id = ?1 AND id = ?2;
