-- Instances, newest first.
-- $1 workspace_id  $2 definition_id  $3 statuses, each between commas  $4 business_key
-- $5 definition_version  $6 started_from  $7 started_before  $8 is_suspended  $9 part of a text
-- $10 first id  $11 last id  $12 count_max  $13 count_skipped  $14 bytes_max
-- A filter that is null lets everything pass.
--
-- Planned anew for each call, so that a null drops its condition and the others choose the index.
-- The page ends with the row whose variables and state reach $14; `found` tells how many it would
-- have had. Lengths are read without the values.
SELECT workspace_id, id, definition_row_id, definition_id, definition_version, status, business_key,
       variables, state, started_at, completed_at, failure_reason, parent_id,
       trace_parent, traced, execution_id, found
FROM (
    SELECT page.*, count(*) OVER () AS found,
           sum(octet_length(variables)::bigint + octet_length(state)) OVER (
               ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
           ) AS bytes_before
    FROM (
        SELECT workspace_id, id, definition_row_id, definition_id, definition_version, status,
               business_key, variables, state, started_at, completed_at, failure_reason, parent_id,
               trace_parent, traced, execution_id
        FROM instance
        WHERE workspace_id = $1::text
          AND ($2::text IS NULL OR definition_id = $2::text)
          AND ($3::text IS NULL OR strpos($3::text, ',' || status || ',') > 0)
          AND ($4::text IS NULL OR business_key = $4::text)
          AND ($5::integer IS NULL OR definition_version = $5::integer)
          AND ($6::timestamptz IS NULL OR started_at >= $6::timestamptz)
          AND ($7::timestamptz IS NULL OR started_at < $7::timestamptz)
          AND ($8::integer IS NULL OR (strpos(state, '"suspended":1') > 0) = ($8::integer = 1))
          AND ($9::text IS NULL OR strpos(lower(business_key), lower($9::text COLLATE "C")) > 0
               OR strpos(lower(definition_id), lower($9::text COLLATE "C")) > 0
               OR strpos(lower(failure_reason), lower($9::text COLLATE "C")) > 0
               OR strpos(lower(variables), lower($9::text COLLATE "C")) > 0)
          AND id >= $10::uuid AND id <= $11::uuid
        ORDER BY id DESC
        LIMIT $12::bigint OFFSET $13::bigint
    ) AS page
) AS measured
WHERE bytes_before IS NULL OR bytes_before < $14::bigint
ORDER BY id DESC;
