-- The workspace of an instance that is known by its id alone: one row, or none.
-- $1 id
--
-- What came through the queue has the id of its execution, which is found at once. For all others
-- there is no index: this skips from workspace to workspace through the primary key and looks once
-- in each; an EXISTS there becomes a join that reads the whole index. It is asked only about
-- instances that this process did not hand out jobs of.
WITH RECURSIVE known AS (
    (
        SELECT workspace_id
        FROM instance
        ORDER BY workspace_id
        LIMIT 1
    )
    UNION ALL
    SELECT following.workspace_id
    FROM known
    CROSS JOIN LATERAL (
        SELECT instance.workspace_id
        FROM instance
        WHERE instance.workspace_id > known.workspace_id
        ORDER BY instance.workspace_id
        LIMIT 1
    ) AS following
)
SELECT found.workspace_id
FROM (
    SELECT workspace_id
    FROM execution
    WHERE id = $1::uuid
    UNION ALL
    SELECT known.workspace_id
    FROM known
    CROSS JOIN LATERAL (
        SELECT
        FROM instance
        WHERE instance.workspace_id = known.workspace_id AND instance.id = $1::uuid
        LIMIT 1
    ) AS in_it
) AS found
LIMIT 1;
