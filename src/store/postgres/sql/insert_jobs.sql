-- Adds jobs, in the order given: sorted by id. An unlocked one without a place gets the next one.
-- $1 workspace_id[]  $2 id[]  $3 instance_id[]  $4 job_type[]  $5 step_id[]  $6 status[]
-- $7 retries_remaining[]  $8 seq[]  $9 lease_token[]  $10 worker_id[]  $11 locked_at[]
-- $12 lock_expires_at[]  $13 created_at[]  $14 variables[]  $15 try_timeout[]
-- $16 trace_parent[]  $17 first_sequence[]
INSERT INTO job (workspace_id, id, instance_id, job_type, step_id, status, retries_remaining, seq,
                 lease_token, worker_id, locked_at, lock_expires_at, created_at, variables,
                 try_timeout, trace_parent, first_sequence)
SELECT given.workspace_id, given.id, given.instance_id, given.job_type, given.step_id, given.status,
       given.retries_remaining,
       CASE WHEN given.seq = 0 AND given.status = 'UNLOCKED' THEN nextval('job_seq')
            ELSE given.seq END,
       given.lease_token, given.worker_id, given.locked_at, given.lock_expires_at, given.created_at,
       given.variables, given.try_timeout, given.trace_parent, given.first_sequence
FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::integer[],
            $8::bigint[], $9::bigint[], $10::text[], $11::timestamptz[], $12::timestamptz[],
            $13::timestamptz[], $14::text[], $15::bigint[], $16::text[], $17::bigint[])
    AS given (workspace_id, id, instance_id, job_type, step_id, status, retries_remaining, seq,
              lease_token, worker_id, locked_at, lock_expires_at, created_at, variables,
              try_timeout, trace_parent, first_sequence);
