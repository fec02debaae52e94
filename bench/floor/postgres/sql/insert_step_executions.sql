-- $1 id[]  $2 tries[]
INSERT INTO step_execution (workspace_id, id, step_id, step_type, status, started_at, ended_at, tries)
SELECT 'default', given.id, 'work', 'SERVICE_TASK', 'COMPLETED', now(), now(), given.tries
FROM unnest($1::uuid[], $2::text[]) AS given (id, tries);
