-- Reads one closed step execution.
-- ?1 workspace_id  ?2 id
SELECT workspace_id, id, step_id, step_type, attempt_number, status, started_at, ended_at,
       failure_reason, job_status, tries, completed_by
FROM step_execution
WHERE workspace_id = ?1 AND id = ?2;
