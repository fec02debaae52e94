-- Gives jobs that the batch has not loaded their own copy of the variables at their creation.
-- $1 workspace_id[]  $2 id[]  $3 variables[]
UPDATE job
SET variables = given.variables
FROM unnest($1::text[], $2::uuid[], $3::text[]) AS given (workspace_id, id, variables)
WHERE job.workspace_id = given.workspace_id AND job.id = given.id;
