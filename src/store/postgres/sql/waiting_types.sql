-- Which workspaces have waiting jobs of which of these types, sorted by workspace.
-- $1 job_type[]
--
-- Skips from workspace to workspace through the claim index and looks once for each type: a DISTINCT
-- would read the whole backlog.
WITH RECURSIVE waiting AS (
    (
        SELECT workspace_id
        FROM job
        WHERE status = 'UNLOCKED'
        ORDER BY workspace_id
        LIMIT 1
    )
    UNION ALL
    SELECT following.workspace_id
    FROM waiting
    CROSS JOIN LATERAL (
        SELECT job.workspace_id
        FROM job
        WHERE job.status = 'UNLOCKED' AND job.workspace_id > waiting.workspace_id
        ORDER BY job.workspace_id
        LIMIT 1
    ) AS following
)
SELECT waiting.workspace_id, asked.job_type
FROM waiting
CROSS JOIN unnest($1::text[]) AS asked (job_type)
CROSS JOIN LATERAL (
    SELECT
    FROM job
    WHERE job.status = 'UNLOCKED' AND job.workspace_id = waiting.workspace_id
      AND job.job_type = asked.job_type
    LIMIT 1
) AS first_in_line;
