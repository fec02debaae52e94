-- Waiting executions that are due again or too late, the longest overdue first.
-- $1 now  $2 count_max
SELECT waiting.workspace_id, waiting.id
FROM (
    (
        SELECT workspace_id, id, due_at AS at
        FROM execution_open
        WHERE place = 'DUE' AND due_at <= $1::timestamptz
        ORDER BY due_at
        LIMIT $2::bigint
    )
    UNION ALL
    (
        SELECT workspace_id, id, deadline
        FROM execution_open
        WHERE place <> 'ACTIVE' AND deadline <= $1::timestamptz
        ORDER BY deadline
        LIMIT $2::bigint
    )
) AS waiting
GROUP BY waiting.workspace_id, waiting.id
ORDER BY min(waiting.at)
LIMIT $2::bigint;
