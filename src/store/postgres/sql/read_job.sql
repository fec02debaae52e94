-- One open job.
-- $1 workspace_id  $2 id
SELECT workspace_id, id, job_type, step_id, status, retries_remaining, seq, lease_token, worker_id,
       locked_at, lock_expires_at, created_at, variables, try_timeout, trace_parent, first_sequence
FROM job
WHERE workspace_id = $1::text AND id = $2::uuid;
