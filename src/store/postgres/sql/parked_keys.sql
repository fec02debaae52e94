-- Concurrency keys with parked executions, sorted, behind the one given.
-- $1 workspace_id  $2 concurrency_key  $3 count_max
--
-- Skips from one to the next through the index of parked ones.
WITH RECURSIVE parked AS (
    (
        SELECT workspace_id, concurrency_key, 1 AS place
        FROM execution_open
        WHERE place = 'PARKED'
          AND (workspace_id, concurrency_key) > ($1::text, $2::text)
        ORDER BY workspace_id, concurrency_key
        LIMIT 1
    )
    UNION ALL
    SELECT following.workspace_id, following.concurrency_key, parked.place + 1
    FROM parked
    CROSS JOIN LATERAL (
        SELECT open.workspace_id, open.concurrency_key
        FROM execution_open AS open
        WHERE open.place = 'PARKED'
          AND (open.workspace_id, open.concurrency_key)
              > (parked.workspace_id, parked.concurrency_key)
        ORDER BY open.workspace_id, open.concurrency_key
        LIMIT 1
    ) AS following
    WHERE parked.place < $3::bigint
)
SELECT workspace_id, concurrency_key
FROM parked;
