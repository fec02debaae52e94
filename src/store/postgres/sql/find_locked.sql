-- Only here. The ids of instances, jobs, user tasks and executions that somebody else has locked at this
-- moment. Waits for nobody.
-- $1 workspace_id[]  $2 id[] of instances  $3, $4 of jobs  $5, $6 of user tasks  $7, $8 of executions
--
-- A row that is there and cannot be locked at once is locked by another. It is a hint: the transaction
-- ends without a trace, and the batch that follows waits for its locks as always.
WITH free_instance AS MATERIALIZED (
    SELECT instance.id
    FROM unnest($1::text[], $2::uuid[]) AS asked (workspace_id, id)
    JOIN instance ON instance.workspace_id = asked.workspace_id AND instance.id = asked.id
    FOR NO KEY UPDATE OF instance SKIP LOCKED
),
free_job AS MATERIALIZED (
    SELECT job.id
    FROM unnest($3::text[], $4::uuid[]) AS asked (workspace_id, id)
    JOIN job ON job.workspace_id = asked.workspace_id AND job.id = asked.id
    FOR NO KEY UPDATE OF job SKIP LOCKED
),
free_user_task AS MATERIALIZED (
    SELECT user_task.id
    FROM unnest($5::text[], $6::uuid[]) AS asked (workspace_id, id)
    JOIN user_task ON user_task.workspace_id = asked.workspace_id AND user_task.id = asked.id
    FOR NO KEY UPDATE OF user_task SKIP LOCKED
),
free_execution AS MATERIALIZED (
    SELECT execution.id
    FROM unnest($7::text[], $8::uuid[]) AS asked (workspace_id, id)
    JOIN execution ON execution.workspace_id = asked.workspace_id AND execution.id = asked.id
    FOR NO KEY UPDATE OF execution SKIP LOCKED
)
SELECT instance.id
FROM unnest($1::text[], $2::uuid[]) AS asked (workspace_id, id)
JOIN instance ON instance.workspace_id = asked.workspace_id AND instance.id = asked.id
WHERE instance.id NOT IN (SELECT id FROM free_instance)
UNION ALL
SELECT job.id
FROM unnest($3::text[], $4::uuid[]) AS asked (workspace_id, id)
JOIN job ON job.workspace_id = asked.workspace_id AND job.id = asked.id
WHERE job.id NOT IN (SELECT id FROM free_job)
UNION ALL
SELECT user_task.id
FROM unnest($5::text[], $6::uuid[]) AS asked (workspace_id, id)
JOIN user_task ON user_task.workspace_id = asked.workspace_id AND user_task.id = asked.id
WHERE user_task.id NOT IN (SELECT id FROM free_user_task)
UNION ALL
SELECT execution.id
FROM unnest($7::text[], $8::uuid[]) AS asked (workspace_id, id)
JOIN execution ON execution.workspace_id = asked.workspace_id AND execution.id = asked.id
WHERE execution.id NOT IN (SELECT id FROM free_execution);
