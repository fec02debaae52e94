-- Notes which instance runs for executions that need not be loaded, if they are open.
-- $1 workspace_id[]  $2 id[]  $3 instance_id[]
UPDATE execution
SET instance_id = given.instance_id
FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS given (workspace_id, id, instance_id)
WHERE execution.id = given.id AND execution.workspace_id = given.workspace_id
  AND execution.queue_status IN ('PENDING', 'CLAIMED', 'DISPATCHED');
