-- $1 id[]  $2 instance_id[]
INSERT INTO job (workspace_id, id, instance_id, job_type, step_id, status, retries_remaining, seq,
                 lease_token, created_at)
SELECT 'default', given.id, given.instance_id, 'bench', 'work', 'UNLOCKED', 3, nextval('job_seq'),
       0, now()
FROM unnest($1::uuid[], $2::uuid[]) AS given (id, instance_id);
