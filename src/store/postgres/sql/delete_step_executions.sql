-- Removes the closed step executions of instances.
-- $1 workspace_id[]  $2 instance_id[]  $3 the last ids that the instances can have given out
--
-- Rows are compared as a whole: with a plain = for the workspace the whole table would be hashed by
-- it. Ids stand there once more because they alone tell which partitions to leave out.
DELETE FROM step_execution
USING unnest($1::text[], $2::uuid[], $3::uuid[]) AS given (workspace_id, id, last_id)
WHERE (step_execution.workspace_id, step_execution.id) > (given.workspace_id, given.id)
  AND (step_execution.workspace_id, step_execution.id) <= (given.workspace_id, given.last_id)
  AND step_execution.id > given.id AND step_execution.id <= given.last_id;
