-- Changes what can change of instances that the batch has locked.
-- $1 workspace_id[]  $2 id[]  $3 status[]  $4 variables[] (null: as they were)  $5 state[]
-- $6 completed_at[]  $7 failure_reason[]
--
-- Most steps only carry the variables along; not sending them spares a large text its rewriting.
UPDATE instance
SET status = given.status,
    variables = coalesce(given.variables, instance.variables),
    state = given.state,
    completed_at = given.completed_at,
    failure_reason = given.failure_reason
FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[])
    AS given (workspace_id, id, status, variables, state, completed_at, failure_reason)
WHERE instance.workspace_id = given.workspace_id AND instance.id = given.id;
