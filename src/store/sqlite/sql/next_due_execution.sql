-- When the next waiting execution is due, or too late.
SELECT at
FROM (
    SELECT min(due_at) AS at
    FROM execution_open
    WHERE place = 'DUE' AND due_at IS NOT NULL
    UNION ALL
    SELECT min(deadline)
    FROM execution_open
    WHERE place <> 'ACTIVE' AND deadline IS NOT NULL
)
WHERE at IS NOT NULL
ORDER BY at
LIMIT 1;
