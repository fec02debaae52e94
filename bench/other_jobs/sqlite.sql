-- A million ready jobs of a type that nobody asks for, in front of all that come later. Their
-- instances are left out: a claim of another type never reads them.
WITH RECURSIVE numbers (n) AS (
    SELECT 1
    UNION ALL
    SELECT n + 1 FROM numbers WHERE n < 1000000
)
INSERT INTO job (workspace_id, id, instance_id, job_type, step_id, status, retries_remaining, seq,
                 lease_token, created_at)
SELECT 'default', bytes, bytes, 'another_type', 'work', 'UNLOCKED', 3, n, 0, 0
FROM (SELECT n, CAST(printf('%016d', n) AS BLOB) AS bytes FROM numbers);

UPDATE job_seq SET last = 1000000;
