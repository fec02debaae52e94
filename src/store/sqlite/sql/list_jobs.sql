-- Open jobs, by id, without their variables, which can be large. One that the engine keeps back
-- (a lease of nobody) counts as unlocked.
-- ?1 workspace_id  ?2 job_type  ?3 status  ?4 worker_id (null: any)  ?5 first id  ?6 last id
-- ?7 count_max  ?8 count_skipped
SELECT workspace_id, id, job_type, step_id, status, retries_remaining, seq, lease_token, worker_id,
       locked_at, lock_expires_at, created_at, NULL AS variables, try_timeout, trace_parent,
       first_sequence
FROM job
WHERE workspace_id = ?1
  AND (?2 IS NULL OR job_type = ?2)
  AND (?3 IS NULL OR CASE WHEN worker_id = '' THEN 'UNLOCKED' ELSE status END = ?3)
  AND (?4 IS NULL OR worker_id = ?4)
  AND id >= ?5 AND id <= ?6
ORDER BY id
LIMIT ?7 OFFSET ?8;
