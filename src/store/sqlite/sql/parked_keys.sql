-- The first concurrency key behind the given one that has parked executions. Called for one after
-- the other, which skips through the index of parked ones.
-- ?1 workspace_id  ?2 concurrency_key
SELECT workspace_id, concurrency_key
FROM execution_open
WHERE place = 'PARKED' AND (workspace_id, concurrency_key) > (?1, ?2)
ORDER BY workspace_id, concurrency_key
LIMIT 1;
