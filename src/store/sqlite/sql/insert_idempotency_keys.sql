-- Notes what was done under one key.
-- ?1 workspace_id  ?2 operation  ?3 key  ?4 request_hash  ?5 instance_id  ?6 created_at
INSERT INTO idempotency_key (workspace_id, operation, key, request_hash, instance_id, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6);
