-- Removes the closed step executions of one instance.
-- ?1 workspace_id  ?2 instance_id  ?3 the last id that the instance can have given out
DELETE FROM step_execution
WHERE workspace_id = ?1 AND id > ?2 AND id <= ?3;
