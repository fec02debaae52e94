-- $1 id[]  $2 state[]
UPDATE instance
SET status = 'COMPLETED',
    state = given.state,
    completed_at = now()
FROM unnest($1::uuid[], $2::text[]) AS given (id, state)
WHERE instance.workspace_id = 'default' AND instance.id = given.id;
