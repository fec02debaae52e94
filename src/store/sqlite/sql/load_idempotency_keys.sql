-- Reads what was done under one key, if anything was.
-- ?1 workspace_id  ?2 operation  ?3 key
SELECT workspace_id, operation, key, request_hash, instance_id, created_at
FROM idempotency_key
WHERE workspace_id = ?1 AND operation = ?2 AND key = ?3;
