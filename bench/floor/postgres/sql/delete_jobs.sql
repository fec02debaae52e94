-- $1 id[]
DELETE FROM job
USING unnest($1::uuid[]) AS given (id)
WHERE job.workspace_id = 'default' AND job.id = given.id;
