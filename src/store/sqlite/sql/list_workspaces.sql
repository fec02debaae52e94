-- Workspaces, by id.
-- ?1 the id before the first  ?2 count_max  ?3 count_skipped
SELECT
    id, name, plan, max_active, max_per_key, rate_per_second, max_attempts, weight, is_paused,
    created_at, changed_at
FROM workspace
WHERE id > ?1
ORDER BY id
LIMIT ?2 OFFSET ?3;
