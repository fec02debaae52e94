-- Calls parked executions of these keys, as many as have room. Those that are locked are left out.
-- $1 workspace_id[]  $2 concurrency_key[]  $3 how many a key may have where its workspace does not say
--
-- The counts are those of a moment ago: one that is called and finds no room is parked again. A call locks
-- the record of the called one, too: whoever has that locked finds it where it was.
UPDATE execution_open
SET place = 'READY'
FROM (
    SELECT parked.id, parked.workspace_id
    FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[])) AS woken (workspace_id, concurrency_key)
    LEFT JOIN workspace ON workspace.id = woken.workspace_id
    CROSS JOIN LATERAL (
        SELECT count(*) AS active
        FROM execution_open AS active
        WHERE active.place = 'ACTIVE'
          AND active.workspace_id = woken.workspace_id
          AND active.concurrency_key = woken.concurrency_key
    ) AS held
    CROSS JOIN LATERAL (
        SELECT open.id, open.workspace_id
        FROM execution_open AS open
        JOIN execution ON execution.id = open.id AND execution.workspace_id = open.workspace_id
        WHERE open.place = 'PARKED'
          AND open.workspace_id = woken.workspace_id
          AND open.concurrency_key = woken.concurrency_key
        ORDER BY open.rank_at, open.id
        LIMIT greatest(0, coalesce(workspace.max_per_key, $3::integer) - held.active)
        FOR NO KEY UPDATE OF execution, open SKIP LOCKED
    ) AS parked
) AS called
WHERE execution_open.id = called.id AND execution_open.workspace_id = called.workspace_id;
