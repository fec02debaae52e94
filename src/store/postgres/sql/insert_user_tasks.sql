-- Adds user tasks, in the order given: sorted by id.
-- $1 workspace_id[]  $2 id[]  $3 definition_id[]  $4 definition_version[]  $5 step_id[]  $6 name[]
-- $7 status[]  $8 assignee[]  $9 candidate_groups[]  $10 created_at[]  $11 claimed_at[]
-- $12 ended_at[]  $13 completed_by[]
INSERT INTO user_task (workspace_id, id, definition_id, definition_version, step_id, name, status,
                       assignee, candidate_groups, created_at, claimed_at, ended_at, completed_by)
SELECT *
FROM unnest($1::text[], $2::uuid[], $3::text[], $4::integer[], $5::text[], $6::text[], $7::text[],
            $8::text[], $9::text[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[],
            $13::text[]);
