-- Removes the rows of executions that are over, and calls one parked execution for each that had a
-- concurrency key: there is room now. One that is gone already is fine.
-- $1 workspace_id[]  $2 id[]
--
-- A call locks the record of the called one, too: whoever has that locked finds it where it was. It waits
-- for nobody, and nothing that waits may follow it in a batch.
WITH gone AS (
    DELETE FROM execution_open
    USING unnest($1::text[], $2::uuid[]) AS given (workspace_id, id)
    WHERE execution_open.id = given.id AND execution_open.workspace_id = given.workspace_id
    RETURNING execution_open.workspace_id, execution_open.concurrency_key, execution_open.place
), freed AS (
    SELECT gone.workspace_id, gone.concurrency_key, count(*) AS count
    FROM gone
    WHERE gone.concurrency_key IS NOT NULL AND gone.place = 'ACTIVE'
    GROUP BY gone.workspace_id, gone.concurrency_key
)
UPDATE execution_open
SET place = 'READY'
FROM (
    SELECT parked.id, parked.workspace_id
    FROM freed
    CROSS JOIN LATERAL (
        SELECT open.id, open.workspace_id
        FROM execution_open AS open
        JOIN execution ON execution.id = open.id AND execution.workspace_id = open.workspace_id
        WHERE open.place = 'PARKED'
          AND open.workspace_id = freed.workspace_id
          AND open.concurrency_key = freed.concurrency_key
        ORDER BY open.rank_at, open.id
        LIMIT freed.count
        FOR NO KEY UPDATE OF execution, open SKIP LOCKED
    ) AS parked
) AS called
WHERE execution_open.id = called.id AND execution_open.workspace_id = called.workspace_id;
