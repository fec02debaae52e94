-- Removes the user tasks of instances.
-- $1 workspace_id[]  $2 instance_id[]  $3 the last ids that the instances can have given out
--
-- Rows are compared as a whole: with a plain = for the workspace the whole table would be hashed by
-- it.
DELETE FROM user_task
USING unnest($1::text[], $2::uuid[], $3::uuid[]) AS given (workspace_id, id, last_id)
WHERE (user_task.workspace_id, user_task.id) > (given.workspace_id, given.id)
  AND (user_task.workspace_id, user_task.id) <= (given.workspace_id, given.last_id);
