-- Only here. The first workspace behind the given one that has waiting jobs. Called for workspace
-- after workspace, which skips through the claim index: a DISTINCT would read the whole backlog.
-- ?1 workspace_id
SELECT workspace_id
FROM job INDEXED BY job_waiting
WHERE status = 'UNLOCKED' AND workspace_id > ?1
ORDER BY workspace_id
LIMIT 1;
