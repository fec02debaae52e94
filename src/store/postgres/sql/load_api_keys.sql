-- Locks API keys, sorted by id, and reads them as they are then.
-- $1 id[]
SELECT id, name, role, workspace_id, secret_hash, created_at, expires_at, revoked_at
FROM api_key
WHERE id = ANY ($1::text[])
ORDER BY id
FOR NO KEY UPDATE;
