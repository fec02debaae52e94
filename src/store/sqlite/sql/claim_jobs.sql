-- Claims the first waiting job of one type above the mark, for one slot. Called for slot after slot,
-- the mark moving on. One writer: there is nothing to skip.
-- ?1 workspace_id  ?2 job_type  ?3 seq_after  ?4 worker_id  ?5 lock_expires_at  ?6 now
--
-- Not CASE WHEN variables IS NULL: in a RETURNING, SQLite 3.40 takes that for false.
UPDATE job
SET status = 'LOCKED',
    lease_token = lease_token + 1,
    worker_id = ?4,
    locked_at = ?6,
    lock_expires_at = ?5
WHERE workspace_id = ?1 AND id = (
    SELECT id
    FROM job
    WHERE workspace_id = ?1 AND job_type = ?2 AND status = 'UNLOCKED' AND seq > ?3
    ORDER BY seq
    LIMIT 1
)
RETURNING workspace_id, id, job_type, step_id, status, retries_remaining, seq, lease_token,
          worker_id, locked_at, lock_expires_at, created_at, variables,
          coalesce(variables, (
              SELECT instance.variables
              FROM instance
              WHERE instance.workspace_id = job.workspace_id AND instance.id = job.instance_id
          ));
