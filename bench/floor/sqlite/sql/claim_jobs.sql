-- Claims the first waiting jobs.
-- ?1 count_max  ?2 worker_id  ?3 lock_expires_at
UPDATE job
SET status = 'LOCKED',
    lease_token = lease_token + 1,
    worker_id = ?2,
    lock_expires_at = ?3
WHERE workspace_id = 'default' AND id IN (
    SELECT id
    FROM job
    WHERE workspace_id = 'default' AND job_type = 'bench' AND status = 'UNLOCKED'
    ORDER BY seq
    LIMIT ?1
)
RETURNING id;
