-- The workspace of an instance that is known by its id alone: one row, or none.
-- ?1 id
--
-- What came through the queue has the id of its execution, which is found at once. For all others
-- there is no index: this skips from workspace to workspace through the primary key and looks once
-- in each. It is asked only about instances that this process did not hand out jobs of.
WITH RECURSIVE known (workspace_id) AS (
    SELECT min(workspace_id)
    FROM instance
    UNION ALL
    SELECT (SELECT min(instance.workspace_id)
            FROM instance
            WHERE instance.workspace_id > known.workspace_id)
    FROM known
    WHERE known.workspace_id IS NOT NULL
)
SELECT found.workspace_id
FROM (
    SELECT workspace_id
    FROM execution
    WHERE id = ?1
    UNION ALL
    SELECT known.workspace_id
    FROM known
    WHERE EXISTS (
        SELECT 1
        FROM instance
        WHERE instance.workspace_id = known.workspace_id AND instance.id = ?1
    )
) AS found
LIMIT 1;
