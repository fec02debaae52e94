-- How many slots are taken, and how many executions are ready, in workspaces whose lines are locked: in
-- the order given, each counted to its bound. A statement of its own, behind the one that locks: its
-- snapshot has to show what those who had the lock before have let in.
-- $1 workspace_id[]  $2 active ones that are worth counting[] (null: all)  $3 ready ones
SELECT active.count, ready.count
FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS line (workspace_id, active_max, place)
CROSS JOIN LATERAL (
    SELECT count(*)
    FROM (
        SELECT
        FROM execution_open
        WHERE execution_open.place = 'ACTIVE' AND execution_open.workspace_id = line.workspace_id
        LIMIT line.active_max
    ) AS counted
) AS active
CROSS JOIN LATERAL (
    SELECT count(*)
    FROM (
        SELECT
        FROM execution_open
        WHERE execution_open.place = 'READY' AND execution_open.workspace_id = line.workspace_id
        LIMIT $3::bigint
    ) AS counted
) AS ready
ORDER BY line.place;
