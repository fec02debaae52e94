-- How many rows list_instances has without paging, up to a number.
-- $1 workspace_id  $2 definition_id  $3 status  $4 business_key (null: any)  $5 count_max
SELECT count(*)
FROM (
    SELECT
    FROM instance
    WHERE workspace_id = $1::text
      AND ($2::text IS NULL OR definition_id = $2::text)
      AND ($3::text IS NULL OR status = $3::text)
      AND ($4::text IS NULL OR business_key = $4::text)
    LIMIT $5::bigint
) AS counted;
