-- Notes what runs have brought.
-- $1 workspace_id[]  $2 id[]  $3 result[]
UPDATE execution
SET result = given.result
FROM unnest($1::text[], $2::uuid[], $3::text[]) AS given (workspace_id, id, result)
WHERE execution.id = given.id AND execution.workspace_id = given.workspace_id;
