-- The highest version of each definition, by id, those whose id or name holds the keyword.
-- $1 workspace_id  $2 keyword (empty: all)  $3 the id before the first (empty: none)  $4 count_max
-- $5 count_skipped
--
-- Bytes compare ("C"), so that only ASCII letters lose their case and nothing is a wildcard.
SELECT id, version, name, uploaded_at
FROM (
    SELECT DISTINCT ON (id) id, version, name, uploaded_at
    FROM definition
    WHERE workspace_id = $1::text
    ORDER BY id, version DESC
) AS latest
WHERE id > $3::text
  AND (strpos(lower(id), lower($2::text COLLATE "C")) > 0
       OR strpos(lower(name COLLATE "C"), lower($2::text COLLATE "C")) > 0)
ORDER BY id
LIMIT $4::bigint OFFSET $5::bigint;
