-- Ends executions that need not be loaded, if they are open.
-- $1 workspace_id[]  $2 id[]  $3 queue_status[]  $4 error_reason[]  $5 error_message[]
-- $6 error_group[]  $7 completed_at[]  $8 instance_id[] (null: as it was)
UPDATE execution
SET queue_status = given.queue_status,
    error_reason = given.error_reason,
    error_message = given.error_message,
    error_group = given.error_group,
    completed_at = given.completed_at,
    next_attempt_at = NULL,
    due_at = NULL,
    claim_owner = NULL,
    instance_id = coalesce(given.instance_id, execution.instance_id)
FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[],
            $8::uuid[])
    AS given (workspace_id, id, queue_status, error_reason, error_message, error_group, completed_at,
              instance_id)
WHERE execution.id = given.id AND execution.workspace_id = given.workspace_id
  AND execution.queue_status IN ('PENDING', 'CLAIMED', 'DISPATCHED');
