-- ?1 id  ?2 instance_id  ?3 seq  ?4 now
INSERT INTO job (workspace_id, id, instance_id, job_type, step_id, status, retries_remaining, seq,
                 lease_token, created_at)
VALUES ('default', ?1, ?2, 'bench', 'work', 'UNLOCKED', 3, ?3, 0, ?4);
