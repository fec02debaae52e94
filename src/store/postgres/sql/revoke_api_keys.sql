-- Revokes API keys. What is revoked already keeps its time.
-- $1 id[]  $2 revoked_at[]
UPDATE api_key
SET revoked_at = given.revoked_at
FROM unnest($1::text[], $2::timestamptz[]) AS given (id, revoked_at)
WHERE api_key.id = given.id AND api_key.revoked_at IS NULL;
