-- Calls parked executions of one key, as many as it has room for.
-- ?1 workspace_id  ?2 concurrency_key  ?3 how many a key may have where its workspace does not say
UPDATE execution_open
SET place = 'READY'
WHERE (id, workspace_id) IN (
    SELECT parked.id, parked.workspace_id
    FROM execution_open AS parked
    WHERE parked.place = 'PARKED' AND parked.workspace_id = ?1 AND parked.concurrency_key = ?2
    ORDER BY parked.rank_at, parked.id
    LIMIT max(0, coalesce((SELECT max_per_key FROM workspace WHERE workspace.id = ?1), ?3) - (
        SELECT count(*)
        FROM execution_open AS active
        WHERE active.place = 'ACTIVE' AND active.workspace_id = ?1 AND active.concurrency_key = ?2))
);
