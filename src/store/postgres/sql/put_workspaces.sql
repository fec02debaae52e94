-- Adds or changes workspaces, in the order given: sorted by id.
-- $1 id[]  $2 name[]  $3 plan[]  $4 max_active[]  $5 max_per_key[]  $6 rate_per_second[]  $7
-- max_attempts[]  $8 weight[]  $9 is_paused[]  $10 created_at[]  $11 changed_at[]
INSERT INTO workspace (
    id, name, plan, max_active, max_per_key, rate_per_second, max_attempts, weight, is_paused,
    created_at, changed_at)
SELECT *
FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::integer[], $5::integer[], $6::double precision[],
    $7::integer[], $8::integer[], $9::integer[], $10::timestamptz[], $11::timestamptz[])
ON CONFLICT (id) DO UPDATE
SET name = excluded.name,
    plan = excluded.plan,
    max_active = excluded.max_active,
    max_per_key = excluded.max_per_key,
    rate_per_second = excluded.rate_per_second,
    max_attempts = excluded.max_attempts,
    weight = excluded.weight,
    is_paused = excluded.is_paused,
    changed_at = excluded.changed_at;
