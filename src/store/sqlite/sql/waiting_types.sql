-- Whether a workspace has waiting jobs of a type: one row, or none.
-- ?1 workspace_id  ?2 job_type
--
-- Without the name of the index all open jobs of the workspace are read, by the primary key.
SELECT 1
FROM job INDEXED BY job_waiting
WHERE status = 'UNLOCKED' AND workspace_id = ?1 AND job_type = ?2
LIMIT 1;
