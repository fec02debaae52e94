-- The first type behind the given one, of all workspaces, that has waiting jobs. Called for type
-- after type, which skips through the claim index: a DISTINCT would read the whole backlog.
-- ?1 workspace_id  ?2 job_type
SELECT workspace_id, job_type
FROM job
WHERE status = 'UNLOCKED' AND (workspace_id, job_type) > (?1, ?2)
ORDER BY workspace_id, job_type
LIMIT 1;
