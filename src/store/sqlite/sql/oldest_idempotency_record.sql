-- When the oldest idempotency key of all workspaces was used. No row when there is none.
SELECT created_at
FROM idempotency_key
ORDER BY created_at
LIMIT 1;
