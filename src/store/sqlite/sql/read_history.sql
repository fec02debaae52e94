-- The closed step executions of an instance, in the order of their ids.
-- ?1 workspace_id  ?2 the id of the instance, or of the last one seen  ?3 the last id that an instance can have given out
SELECT workspace_id, id, step_id, step_type, attempt_number, status, started_at, ended_at,
       failure_reason, job_status, tries, completed_by
FROM step_execution
WHERE workspace_id = ?1 AND id > ?2 AND id <= ?3
ORDER BY id;
