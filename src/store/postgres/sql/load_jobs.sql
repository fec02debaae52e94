-- Locks jobs, sorted by id, and reads them as they are then.
-- $1 workspace_id[]  $2 id[]
SELECT job.workspace_id, job.id, job.job_type, job.step_id, job.status, job.retries_remaining,
       job.seq, job.lease_token, job.worker_id, job.locked_at, job.lock_expires_at, job.created_at,
       job.variables, job.try_timeout, job.trace_parent, job.first_sequence
FROM unnest($1::text[], $2::uuid[]) AS asked (workspace_id, id)
JOIN job ON job.workspace_id = asked.workspace_id AND job.id = asked.id
ORDER BY job.id, job.workspace_id
FOR NO KEY UPDATE OF job;
