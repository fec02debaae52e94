-- Instances, newest first.
-- $1 workspace_id  $2 definition_id  $3 status  $4 business_key (null: any)  $5 count_max
-- $6 count_skipped
--
-- Planned anew for each call, so that a null drops its condition and the others choose the index.
SELECT workspace_id, id, definition_row_id, definition_id, definition_version, status, business_key,
       variables, state, started_at, completed_at, failure_reason, parent_id
FROM instance
WHERE workspace_id = $1::text
  AND ($2::text IS NULL OR definition_id = $2::text)
  AND ($3::text IS NULL OR status = $3::text)
  AND ($4::text IS NULL OR business_key = $4::text)
ORDER BY id DESC
LIMIT $5::bigint OFFSET $6::bigint;
