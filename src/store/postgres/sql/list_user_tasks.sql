-- User tasks of any status, newest first.
-- $1 workspace_id  $2 status  $3 definition_id  $4 step_id  $5 assignee (empty: nobody)
-- $6 a candidate group between line ends  $7 first id  $8 last id  $9 count_max  $10 count_skipped
-- A filter that is null lets everything pass.
SELECT workspace_id, id, definition_id, definition_version, step_id, name, status, assignee,
       candidate_groups, created_at, claimed_at, ended_at, completed_by
FROM user_task
WHERE workspace_id = $1::text
  AND ($2::text IS NULL OR status = $2::text)
  AND ($3::text IS NULL OR definition_id = $3::text)
  AND ($4::text IS NULL OR step_id = $4::text)
  AND ($5::text IS NULL OR coalesce(assignee, '') = $5::text)
  AND ($6::text IS NULL OR strpos(candidate_groups, $6::text) > 0)
  AND id >= $7::uuid AND id <= $8::uuid
ORDER BY id DESC
LIMIT $9::bigint OFFSET $10::bigint;
