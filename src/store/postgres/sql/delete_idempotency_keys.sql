-- Forgets the oldest of the keys, of all workspaces, that were used before a time: so many at once.
-- $1 before  $2 count_max
--
-- Skips locked rows: two replicas may forget at once.
DELETE FROM idempotency_key
USING (
    SELECT workspace_id, operation, key
    FROM idempotency_key
    WHERE created_at < $1::timestamptz
    ORDER BY created_at
    LIMIT $2::bigint
    FOR UPDATE SKIP LOCKED
) AS old
WHERE idempotency_key.workspace_id = old.workspace_id
  AND idempotency_key.operation = old.operation
  AND idempotency_key.key = old.key;
