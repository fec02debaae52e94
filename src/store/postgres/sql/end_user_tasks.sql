-- Ends user tasks that need not be loaded.
-- $1 workspace_id[]  $2 id[]  $3 status[]  $4 ended_at[]  $5 completed_by[]
UPDATE user_task
SET status = given.status,
    ended_at = given.ended_at,
    completed_by = given.completed_by
FROM unnest($1::text[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[])
    AS given (workspace_id, id, status, ended_at, completed_by)
WHERE user_task.workspace_id = given.workspace_id AND user_task.id = given.id;
