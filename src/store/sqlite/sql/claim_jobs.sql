-- Claims one job that waiting_jobs has found in the same transaction.
-- ?1 workspace_id  ?2 id  ?3 lease_token  ?4 worker_id  ?5 locked_at  ?6 lock_expires_at
--
-- One writer: there is nothing to skip. Two statements, because a RETURNING keeps its rows in a
-- table of its own and an UPDATE for each slot would look for the head of the line again.
UPDATE job
SET status = 'LOCKED',
    lease_token = ?3,
    worker_id = ?4,
    locked_at = ?5,
    lock_expires_at = ?6
WHERE workspace_id = ?1 AND id = ?2;
