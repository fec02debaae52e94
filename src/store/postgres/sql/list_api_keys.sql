-- API keys by id, of one workspace or all there are.
-- $1 workspace_id (null: all)  $2 the id before the first (empty: none)  $3 count_max  $4 count_skipped
SELECT id, name, role, workspace_id, secret_hash, created_at, expires_at, revoked_at
FROM api_key
WHERE ($1::text IS NULL OR workspace_id = $1::text) AND id > $2::text
ORDER BY id
LIMIT $3::bigint OFFSET $4::bigint;
