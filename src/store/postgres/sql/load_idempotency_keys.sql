-- Reads what was done under these keys, sorted by key.
-- $1 workspace_id[]  $2 operation[]  $3 key[]
SELECT done.workspace_id, done.operation, done.key, done.request_hash, done.instance_id,
       done.created_at
FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (workspace_id, operation, key)
JOIN idempotency_key AS done
    ON done.workspace_id = asked.workspace_id AND done.operation = asked.operation
    AND done.key = asked.key
ORDER BY done.workspace_id, done.operation, done.key;
