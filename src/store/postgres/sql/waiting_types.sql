-- The types of all workspaces that have waiting jobs, sorted.
--
-- Skips from type to type through the claim index: a DISTINCT would read the whole backlog.
WITH RECURSIVE waiting AS (
    (
        SELECT workspace_id, job_type
        FROM job
        WHERE status = 'UNLOCKED'
        ORDER BY workspace_id, job_type
        LIMIT 1
    )
    UNION ALL
    SELECT following.workspace_id, following.job_type
    FROM waiting
    CROSS JOIN LATERAL (
        SELECT job.workspace_id, job.job_type
        FROM job
        WHERE job.status = 'UNLOCKED'
          AND (job.workspace_id, job.job_type) > (waiting.workspace_id, waiting.job_type)
        ORDER BY job.workspace_id, job.job_type
        LIMIT 1
    ) AS following
)
SELECT workspace_id, job_type
FROM waiting;
