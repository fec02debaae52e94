-- One version of a definition, or the latest.
-- $1 workspace_id  $2 id  $3 version (0 asks for the latest)
SELECT workspace_id, id, version, name, content, canonical, uploaded_at
FROM definition
WHERE workspace_id = $1::text
  AND id = $2::text
  AND version >= $3::integer
  AND version <= coalesce(nullif($3::integer, 0), 2147483647)
ORDER BY version DESC
LIMIT 1;
