-- Adds or changes one workspace.
-- ?1 id  ?2 name  ?3 plan  ?4 max_active  ?5 max_per_key  ?6 rate_per_second  ?7 max_attempts
-- ?8 weight  ?9 is_paused  ?10 created_at  ?11 changed_at
INSERT INTO workspace (
    id, name, plan, max_active, max_per_key, rate_per_second, max_attempts, weight, is_paused,
    created_at, changed_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
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
