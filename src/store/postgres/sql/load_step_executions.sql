-- Reads closed step executions, sorted by id.
-- $1 workspace_id[]  $2 id[]
SELECT closed.workspace_id, closed.id, closed.step_id, closed.step_type, closed.attempt_number,
       closed.status, closed.started_at, closed.ended_at, closed.failure_reason, closed.job_status,
       closed.tries, closed.completed_by
FROM unnest($1::text[], $2::uuid[]) AS asked (workspace_id, id)
JOIN step_execution AS closed
    ON closed.workspace_id = asked.workspace_id AND closed.id = asked.id
ORDER BY closed.id, closed.workspace_id;
