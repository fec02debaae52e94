-- Forgets the oldest of the keys, of all workspaces, that were used before a time: so many at once.
-- ?1 before  ?2 count_max
DELETE FROM idempotency_key
WHERE (workspace_id, operation, key) IN (
    SELECT workspace_id, operation, key
    FROM idempotency_key
    WHERE created_at < ?1
    ORDER BY created_at
    LIMIT ?2
);
