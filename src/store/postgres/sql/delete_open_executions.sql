-- Removes the rows of executions that are over. One that is gone already is fine.
-- $1 workspace_id[]  $2 id[]
DELETE FROM execution_open
USING unnest($1::text[], $2::uuid[]) AS given (workspace_id, id)
WHERE execution_open.id = given.id AND execution_open.workspace_id = given.workspace_id;
