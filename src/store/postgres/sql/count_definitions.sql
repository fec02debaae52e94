-- How many rows list_definitions has without paging, up to a number.
-- $1 workspace_id  $2 keyword (empty: all)  $3 count_max
SELECT count(*)
FROM (
    SELECT
    FROM (
        SELECT DISTINCT ON (id) id, name
        FROM definition
        WHERE workspace_id = $1::text
        ORDER BY id, version DESC
    ) AS latest
    WHERE strpos(lower(id), lower($2::text COLLATE "C")) > 0
       OR strpos(lower(name COLLATE "C"), lower($2::text COLLATE "C")) > 0
    LIMIT $3::bigint
) AS counted;
