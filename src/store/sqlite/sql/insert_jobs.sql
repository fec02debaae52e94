-- Adds one job.
-- ?1 workspace_id  ?2 id  ?3 instance_id  ?4 job_type  ?5 step_id  ?6 status  ?7 retries_remaining
-- ?8 seq  ?9 lease_token  ?10 worker_id  ?11 locked_at  ?12 lock_expires_at  ?13 created_at
-- ?14 variables  ?15 try_timeout  ?16 trace_parent  ?17 first_sequence
INSERT INTO job (workspace_id, id, instance_id, job_type, step_id, status, retries_remaining, seq,
                 lease_token, worker_id, locked_at, lock_expires_at, created_at, variables,
                 try_timeout, trace_parent, first_sequence)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17);
