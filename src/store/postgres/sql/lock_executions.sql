-- Only here. Locks executions, sorted by id: those asked for, and those that the instances asked for run for.
-- $1 workspace_id[]  $2 id[]  $3 workspace_id[] of instances  $4 id[] of instances
--
-- A statement of its own before load_executions: that one must see what the last holder has committed, in
-- both rows of an execution. The instances are locked already, and which execution they run for never
-- changes. All are locked in one pass, so that two batches meet them in the same order.
WITH asked AS MATERIALIZED (
    SELECT given.workspace_id, given.id
    FROM unnest($1::text[], $2::uuid[]) AS given (workspace_id, id)
    UNION
    SELECT instance.workspace_id, instance.execution_id
    FROM unnest($3::text[], $4::uuid[]) AS given (workspace_id, id)
    JOIN instance ON instance.workspace_id = given.workspace_id AND instance.id = given.id
    WHERE instance.execution_id IS NOT NULL
)
SELECT execution.id
FROM asked
JOIN execution ON execution.id = asked.id AND execution.workspace_id = asked.workspace_id
ORDER BY execution.id, execution.workspace_id
FOR NO KEY UPDATE OF execution;
