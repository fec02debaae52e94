-- Waiting executions that are due again or too late, the longest overdue first, each once.
-- ?1 now  ?2 count_max
SELECT workspace_id, id
FROM (
    SELECT *
    FROM (
        SELECT workspace_id, id, due_at AS at
        FROM execution_open
        WHERE place = 'DUE' AND due_at <= ?1
        ORDER BY due_at
        LIMIT ?2
    )
    UNION ALL
    SELECT *
    FROM (
        SELECT workspace_id, id, deadline
        FROM execution_open
        WHERE place <> 'ACTIVE' AND deadline <= ?1
        ORDER BY deadline
        LIMIT ?2
    )
)
GROUP BY id, workspace_id
ORDER BY min(at), id
LIMIT ?2;
