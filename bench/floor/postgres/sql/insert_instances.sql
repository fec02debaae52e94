-- $1 id[]  $2 variables[]  $3 state[]
INSERT INTO instance (workspace_id, id, definition_row_id, status, variables, state, started_at)
SELECT 'default', given.id, 1, 'ACTIVE', given.variables, given.state, now()
FROM unnest($1::uuid[], $2::text[], $3::text[]) AS given (id, variables, state);
