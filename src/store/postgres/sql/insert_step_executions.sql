-- Appends closed step executions to the history.
-- $1 workspace_id[]  $2 id[]  $3 step_id[]  $4 step_type[]  $5 attempt_number[]  $6 status[]
-- $7 started_at[]  $8 ended_at[]  $9 failure_reason[]  $10 job_status[]  $11 tries[]
-- $12 completed_by[]
INSERT INTO step_execution (workspace_id, id, step_id, step_type, attempt_number, status, started_at,
                            ended_at, failure_reason, job_status, tries, completed_by)
SELECT *
FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::integer[], $6::text[],
            $7::timestamptz[], $8::timestamptz[], $9::text[], $10::text[], $11::text[], $12::text[]);
