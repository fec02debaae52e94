-- Appends one closed step execution to the history.
-- ?1 workspace_id  ?2 id  ?3 step_id  ?4 step_type  ?5 attempt_number  ?6 status  ?7 started_at
-- ?8 ended_at  ?9 failure_reason  ?10 job_status  ?11 tries  ?12 completed_by
INSERT INTO step_execution (workspace_id, id, step_id, step_type, attempt_number, status, started_at,
                            ended_at, failure_reason, job_status, tries, completed_by)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12);
