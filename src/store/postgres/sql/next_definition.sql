-- The first definition behind the given one in the order of id and workspace, of all workspaces: one
-- that is there, or one that is gone and has left instances or executions.
-- $1 workspace_id  $2 id
--
-- The first of each table is found through its index, whose order this is.
SELECT workspace_id, id
FROM (
    (
        SELECT workspace_id, id
        FROM definition
        WHERE (id, workspace_id) > ($2::text, $1::text)
        ORDER BY id, workspace_id
        LIMIT 1
    )
    UNION ALL
    (
        SELECT workspace_id, definition_id
        FROM instance
        WHERE (definition_id, workspace_id) > ($2::text, $1::text)
        ORDER BY definition_id, workspace_id
        LIMIT 1
    )
    UNION ALL
    (
        SELECT workspace_id, definition_id
        FROM execution
        WHERE (definition_id, workspace_id) > ($2::text, $1::text)
        ORDER BY definition_id, workspace_id
        LIMIT 1
    )
) AS following
ORDER BY id, workspace_id
LIMIT 1;
