-- Workspaces with ready executions, sorted, behind the one given.
-- $1 workspace_id  $2 count_max
--
-- Skips from one to the next through the index of ready ones.
WITH RECURSIVE waiting AS (
    (
        SELECT workspace_id, 1 AS place
        FROM execution_open
        WHERE place = 'READY' AND workspace_id > $1::text
        ORDER BY workspace_id
        LIMIT 1
    )
    UNION ALL
    SELECT following.workspace_id, waiting.place + 1
    FROM waiting
    CROSS JOIN LATERAL (
        SELECT ready.workspace_id
        FROM execution_open AS ready
        WHERE ready.place = 'READY' AND ready.workspace_id > waiting.workspace_id
        ORDER BY ready.workspace_id
        LIMIT 1
    ) AS following
    WHERE waiting.place < $2::bigint
)
SELECT waiting.workspace_id,
       EXISTS (SELECT FROM workspace WHERE workspace.id = waiting.workspace_id)
FROM waiting;
