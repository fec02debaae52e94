-- Only here. The first waiting jobs of one type above the mark, with the variables at their creation.
-- ?1 workspace_id  ?2 job_type  ?3 seq_after
--
-- Read no further than there are workers for them: how many that takes is known row by row.
SELECT job.workspace_id, job.id, job.job_type, job.step_id, job.status, job.retries_remaining,
       job.seq, job.lease_token, job.worker_id, job.locked_at, job.lock_expires_at, job.created_at,
       job.variables, job.try_timeout, job.trace_parent, job.first_sequence,
       coalesce(job.variables, instance.variables)
FROM job
LEFT JOIN instance
    ON instance.workspace_id = job.workspace_id AND instance.id = job.instance_id
WHERE job.workspace_id = ?1 AND job.job_type = ?2 AND job.status = 'UNLOCKED' AND job.seq > ?3
ORDER BY job.seq;
