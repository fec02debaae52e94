-- How the lines of workspaces stand, each number counted to a bound. The oldest one that waits is taken
-- for the first in line: only priorities make it another.
-- $1 workspace_id[]  $2 count_max
SELECT
    workspace.id, workspace.name, workspace.plan, workspace.max_active, workspace.max_per_key,
    workspace.rate_per_second, workspace.max_attempts, workspace.weight, workspace.is_paused,
    workspace.created_at, workspace.changed_at,
    line.runnable, line.virtual_time, line.rate_tokens, line.rate_counted_at, ready.count, parked.count,
    due.count, claimed.count, dispatched.count,
    (
        SELECT min(open.created_at)
        FROM (
            SELECT ready.created_at
            FROM execution_open AS ready
            WHERE ready.place = 'READY' AND ready.workspace_id = workspace.id
            ORDER BY ready.rank_at, ready.id
            LIMIT 1
        ) AS open)
FROM workspace
JOIN workspace_queue AS line ON line.workspace_id = workspace.id
CROSS JOIN LATERAL (
    SELECT count(*)
    FROM (
        SELECT
        FROM execution_open AS open
        WHERE open.place = 'READY' AND open.workspace_id = workspace.id
        LIMIT $2::bigint
    ) AS counted
) AS ready
CROSS JOIN LATERAL (
    SELECT count(*)
    FROM (
        SELECT
        FROM execution_open AS open
        WHERE open.place = 'PARKED' AND open.workspace_id = workspace.id
        LIMIT $2::bigint
    ) AS counted
) AS parked
CROSS JOIN LATERAL (
    SELECT count(*)
    FROM (
        SELECT
        FROM execution_open AS open
        WHERE open.place = 'DUE' AND open.workspace_id = workspace.id
        LIMIT $2::bigint
    ) AS counted
) AS due
CROSS JOIN LATERAL (
    SELECT count(*)
    FROM (
        SELECT
        FROM execution_open AS open
        WHERE open.place = 'ACTIVE' AND open.queue_status = 'CLAIMED' AND open.workspace_id = workspace.id
        LIMIT $2::bigint
    ) AS counted
) AS claimed
CROSS JOIN LATERAL (
    SELECT count(*)
    FROM (
        SELECT
        FROM execution_open AS open
        WHERE open.place = 'ACTIVE' AND open.queue_status = 'DISPATCHED' AND open.workspace_id = workspace.id
        LIMIT $2::bigint
    ) AS counted
) AS dispatched
WHERE workspace.id = ANY ($1::text[])
ORDER BY workspace.id;
