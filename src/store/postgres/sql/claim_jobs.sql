-- Claims the first waiting jobs of one type above the mark, skipping rows that others have locked:
-- the n-th in line goes to the n-th slot. One row of nulls: nothing was claimed although jobs were
-- waiting, for others had them locked.
-- $1 workspace_id  $2 job_type  $3 seq_after  $4 count_max  $5 worker_id[]  $6 lock_expires_at[]
-- $7 now  $8 bytes_max  $9 passed_over[]: these stay in line
--
-- The job whose variables reach $8 is the last one; those behind it are only locked, not claimed.
-- Lengths are read without the values, and after the locks: a locking statement reads one table.
--
-- One type per statement: job_type = ANY(...) ORDER BY seq sorts the whole backlog. The partial
-- index job_waiting (workspace_id, job_type, seq) WHERE status = 'UNLOCKED' is read in order, and
-- starting at the mark steps over the dead rows that a long foreign transaction keeps in it.
-- MATERIALIZED keeps the LIMIT in one place: a subquery may run again per joined row and lock more.
-- Jobs and slots meet side by side in one unnest: joining them by their places cost 0.6 ms a job
-- with a thousand slots. They carry the workspace along, because a plan made while the table was
-- small may take job.workspace_id = $1 for the better part of the condition and read all its jobs.
WITH next AS MATERIALIZED (
    SELECT workspace_id, id, seq, instance_id, octet_length(variables) AS bytes
    FROM job
    WHERE workspace_id = $1::text AND job_type = $2::text AND status = 'UNLOCKED'
      AND seq > $3::bigint AND id <> ALL ($9::uuid[])
    ORDER BY seq
    LIMIT $4::bigint
    FOR NO KEY UPDATE SKIP LOCKED
),
measured AS (
    SELECT workspace_id, id, seq, sum(coalesce(bytes, (
               SELECT octet_length(instance.variables)
               FROM instance
               WHERE instance.workspace_id = next.workspace_id AND instance.id = next.instance_id
           ), 0)) OVER (ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
    FROM next
),
fitting AS MATERIALIZED (
    SELECT workspace_id, id, seq
    FROM measured
    WHERE bytes_before IS NULL OR bytes_before < $8::bigint
),
slot AS (
    SELECT *
    FROM unnest((SELECT array_agg(workspace_id) FROM fitting),
                (SELECT array_agg(id ORDER BY seq) FROM fitting), $5::text[], $6::timestamptz[])
        AS slot (workspace_id, id, worker_id, lock_expires_at)
),
claimed AS (
    UPDATE job
    SET status = 'LOCKED',
        lease_token = job.lease_token + 1,
        worker_id = slot.worker_id,
        locked_at = $7::timestamptz,
        lock_expires_at = least(slot.lock_expires_at,
                                $7::timestamptz + job.try_timeout * interval '1 microsecond')
    FROM slot
    WHERE job.workspace_id = slot.workspace_id AND job.id = slot.id
    RETURNING job.workspace_id, job.id, job.job_type, job.step_id, job.status, job.retries_remaining,
              job.seq, job.lease_token, job.worker_id, job.locked_at, job.lock_expires_at,
              job.created_at, job.variables, job.try_timeout, job.trace_parent,
              job.first_sequence,
              CASE WHEN job.variables IS NULL THEN (
                  SELECT instance.variables
                  FROM instance
                  WHERE instance.workspace_id = job.workspace_id AND instance.id = job.instance_id
              ) END AS variables_of_instance
)
SELECT claimed.*
FROM (SELECT NOT EXISTS (SELECT FROM next) AND EXISTS (
          SELECT FROM job
          WHERE workspace_id = $1::text AND job_type = $2::text AND status = 'UNLOCKED'
            AND seq > $3::bigint AND id <> ALL ($9::uuid[]))) AS rest (is_locked)
LEFT JOIN claimed ON true
WHERE claimed.id IS NOT NULL OR rest.is_locked;
