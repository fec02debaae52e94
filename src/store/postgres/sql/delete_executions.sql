-- Removes executions that have expired. One that is gone already is fine.
-- $1 workspace_id[]  $2 id[]
DELETE FROM execution
USING unnest($1::text[], $2::uuid[]) AS given (workspace_id, id)
WHERE execution.id = given.id AND execution.workspace_id = given.workspace_id;
