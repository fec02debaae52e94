-- How many rows list_audit_entries has without paging, up to a number.
-- $1 workspace_id  $2 kinds, each between commas  $3 key_id  $4 instance_id  $5 since  $6 until
-- $7 first id  $8 last id  $9 count_max
-- A filter that is null lets everything pass.
SELECT count(*)
FROM (
    SELECT
    FROM audit_entry
    WHERE workspace_id = $1::text
      AND ($2::text IS NULL OR strpos($2::text, ',' || kind || ',') > 0)
      AND ($3::text IS NULL OR key_id = $3::text)
      AND ($4::uuid IS NULL OR instance_id = $4::uuid
           OR (id = $4::uuid AND kind = 'INSTANCE_STARTED'))
      AND ($5::timestamptz IS NULL OR at >= $5::timestamptz)
      AND ($6::timestamptz IS NULL OR at < $6::timestamptz)
      AND id >= $7::uuid AND id <= $8::uuid
    LIMIT $9::bigint
) AS counted;
