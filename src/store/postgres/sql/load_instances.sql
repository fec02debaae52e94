-- Locks instances, sorted by id, and reads them as they are then.
-- $1 workspace_id[]  $2 id[]  $3 bytes_max of one
--
-- Whether the definition is still there is read here, for servers keep its content in memory: it never
-- changes, and goes only with a workspace in which nothing is open.
--
-- Of a large one only the length is told, which is known without its value: whoever asked reads as many of
-- those as there is room for.
SELECT instance.workspace_id, instance.id, instance.definition_row_id, instance.definition_id,
       instance.definition_version, instance.status, instance.business_key,
       CASE WHEN octet_length(instance.variables) + octet_length(instance.state) <= $3::bigint
            THEN instance.variables END,
       CASE WHEN octet_length(instance.variables) + octet_length(instance.state) <= $3::bigint
            THEN instance.state END,
       instance.started_at, instance.completed_at, instance.failure_reason,
       instance.parent_id, instance.trace_parent, instance.traced, instance.execution_id,
       EXISTS (SELECT FROM definition WHERE row_id = instance.definition_row_id),
       octet_length(instance.variables)::bigint + octet_length(instance.state)
FROM unnest($1::text[], $2::uuid[]) AS asked (workspace_id, id)
JOIN instance ON instance.workspace_id = asked.workspace_id AND instance.id = asked.id
ORDER BY instance.id, instance.workspace_id
FOR NO KEY UPDATE OF instance;
