-- Changes what can change of jobs that the batch has locked. An unlocked one without a place gets
-- the next one.
-- $1 workspace_id[]  $2 id[]  $3 status[]  $4 retries_remaining[]  $5 seq[]  $6 lease_token[]
-- $7 worker_id[]  $8 locked_at[]  $9 lock_expires_at[]  $10 variables[]
UPDATE job
SET status = given.status,
    retries_remaining = given.retries_remaining,
    seq = CASE WHEN given.seq = 0 AND given.status = 'UNLOCKED' THEN nextval('job_seq')
               ELSE given.seq END,
    lease_token = given.lease_token,
    worker_id = given.worker_id,
    locked_at = given.locked_at,
    lock_expires_at = given.lock_expires_at,
    variables = given.variables
FROM unnest($1::text[], $2::uuid[], $3::text[], $4::integer[], $5::bigint[], $6::bigint[], $7::text[],
            $8::timestamptz[], $9::timestamptz[], $10::text[])
    AS given (workspace_id, id, status, retries_remaining, seq, lease_token, worker_id, locked_at,
              lock_expires_at, variables)
WHERE job.workspace_id = given.workspace_id AND job.id = given.id;
