-- Adds timers, in the order given: sorted by id.
-- $1 workspace_id[]  $2 id[]  $3 fire_at[]
INSERT INTO timer (workspace_id, id, fire_at)
SELECT *
FROM unnest($1::text[], $2::uuid[], $3::timestamptz[]);
