-- Revokes one API key. What is revoked already keeps its time.
-- ?1 id  ?2 revoked_at
UPDATE api_key
SET revoked_at = ?2
WHERE id = ?1 AND revoked_at IS NULL;
