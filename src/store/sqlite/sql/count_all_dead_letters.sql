-- Only here. Dead letters of all workspaces, counted to a bound.
-- ?1 count_max
SELECT count(*)
FROM (
    SELECT 1
    FROM execution INDEXED BY execution_dead
    WHERE queue_status = 'FAILED' AND dismissed_at IS NULL AND retried_by IS NULL
    LIMIT ?1
);
