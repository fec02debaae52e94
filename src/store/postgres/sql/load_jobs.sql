-- Locks jobs, sorted by id, and reads them as they are then.
-- $1 workspace_id[]  $2 id[]  $3 bytes_max of one
--
-- Of a large one only the length is told: see load_instances.
SELECT job.workspace_id, job.id, job.job_type, job.step_id, job.status, job.retries_remaining,
       job.seq, job.lease_token, job.worker_id, job.locked_at, job.lock_expires_at, job.created_at,
       CASE WHEN octet_length(job.variables) <= $3::bigint THEN job.variables END,
       job.try_timeout, job.trace_parent, job.first_sequence, octet_length(job.variables)::bigint
FROM unnest($1::text[], $2::uuid[]) AS asked (workspace_id, id)
JOIN job ON job.workspace_id = asked.workspace_id AND job.id = asked.id
ORDER BY job.id, job.workspace_id
FOR NO KEY UPDATE OF job;
