-- Reads one API key.
-- ?1 id
SELECT id, name, role, workspace_id, secret_hash, created_at, expires_at, revoked_at
FROM api_key
WHERE id = ?1;
