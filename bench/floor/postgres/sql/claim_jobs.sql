-- Claims the first waiting jobs above the mark: without it a claim steps over the dead rows of those
-- before, and the floor would not be one.
-- $1 seq_after  $2 count_max  $3 worker_id
WITH next AS MATERIALIZED (
    SELECT id
    FROM job
    WHERE workspace_id = 'default' AND job_type = 'bench' AND status = 'UNLOCKED' AND seq > $1::bigint
    ORDER BY seq
    LIMIT $2::bigint
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE job
SET status = 'LOCKED',
    lease_token = job.lease_token + 1,
    worker_id = $3::text,
    lock_expires_at = now() + interval '30 seconds'
FROM next
WHERE job.workspace_id = 'default' AND job.id = next.id
RETURNING job.seq;
