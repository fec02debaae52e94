-- Changes what can change of user tasks that the batch has locked.
-- $1 workspace_id[]  $2 id[]  $3 status[]  $4 assignee[]  $5 claimed_at[]  $6 ended_at[]
-- $7 completed_by[]
UPDATE user_task
SET status = given.status,
    assignee = given.assignee,
    claimed_at = given.claimed_at,
    ended_at = given.ended_at,
    completed_by = given.completed_by
FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
            $7::text[])
    AS given (workspace_id, id, status, assignee, claimed_at, ended_at, completed_by)
WHERE user_task.workspace_id = given.workspace_id AND user_task.id = given.id;
