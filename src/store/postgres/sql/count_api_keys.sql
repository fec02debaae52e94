-- How many rows list_api_keys has without paging, up to a number.
-- $1 workspace_id (null: all)  $2 count_max
SELECT count(*)
FROM (
    SELECT
    FROM api_key
    WHERE $1::text IS NULL OR workspace_id = $1::text
    LIMIT $2::bigint
) AS counted;
