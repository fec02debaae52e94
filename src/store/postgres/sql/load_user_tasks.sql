-- Locks user tasks, sorted by id, and reads them as they are then.
-- $1 workspace_id[]  $2 id[]
SELECT user_task.workspace_id, user_task.id, user_task.definition_id, user_task.definition_version,
       user_task.step_id, user_task.name, user_task.status, user_task.assignee,
       user_task.candidate_groups, user_task.created_at, user_task.claimed_at, user_task.ended_at,
       user_task.completed_by
FROM unnest($1::text[], $2::uuid[]) AS asked (workspace_id, id)
JOIN user_task ON user_task.workspace_id = asked.workspace_id AND user_task.id = asked.id
ORDER BY user_task.id, user_task.workspace_id
FOR NO KEY UPDATE OF user_task;
