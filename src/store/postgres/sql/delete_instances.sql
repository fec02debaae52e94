-- Removes rows that have expired. One that is gone already is fine.
-- $1 workspace_id[]  $2 id[]
DELETE FROM instance
USING unnest($1::text[], $2::uuid[]) AS given (workspace_id, id)
WHERE instance.workspace_id = given.workspace_id AND instance.id = given.id;
