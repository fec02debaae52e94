-- Reads one workspace.
-- ?1 id
SELECT
    id, name, plan, max_active, max_per_key, rate_per_second, max_attempts, weight, is_paused,
    created_at, changed_at
FROM workspace
WHERE id = ?1;
