-- Removes rows that are over. One that is gone already is fine.
-- $1 workspace_id[]  $2 id[]
DELETE FROM timer
USING unnest($1::text[], $2::uuid[]) AS given (workspace_id, id)
WHERE timer.workspace_id = given.workspace_id AND timer.id = given.id;
