-- Adds user tasks, in the order given: sorted by id.
-- $1 workspace_id[]  $2 id[]  $3 step_id[]  $4 created_at[]
INSERT INTO user_task (workspace_id, id, step_id, created_at)
SELECT *
FROM unnest($1::text[], $2::uuid[], $3::text[], $4::timestamptz[]);
