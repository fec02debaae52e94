-- The versions of one definition, newest first.
-- $1 workspace_id  $2 id  $3 the version after the first (0: none)  $4 count_max  $5 count_skipped
SELECT id, version, name, uploaded_at
FROM definition
WHERE workspace_id = $1::text AND id = $2::text AND ($3::integer = 0 OR version < $3::integer)
ORDER BY version DESC
LIMIT $4::bigint OFFSET $5::bigint;
