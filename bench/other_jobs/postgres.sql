-- A million ready jobs of a type that nobody asks for, in front of all that come later. Their
-- instances are left out: a claim of another type never reads them.
INSERT INTO job (workspace_id, id, instance_id, job_type, step_id, status, retries_remaining, seq,
                 lease_token, created_at)
SELECT 'default', lpad(n::text, 32, '0')::uuid, lpad(n::text, 32, '0')::uuid, 'another_type', 'work',
       'UNLOCKED', 3, n, 0, now()
FROM generate_series(1, 1000000) AS n;

SELECT setval('job_seq', 1000000);

VACUUM ANALYZE job;
