-- How many slots are taken in one workspace, and how many executions are ready, each counted to its
-- bound.
-- ?1 workspace_id  ?2 active ones that are worth counting (null: all)  ?3 ready ones
SELECT (
    SELECT count(*)
    FROM (
        SELECT 1
        FROM execution_open
        WHERE place = 'ACTIVE' AND workspace_id = ?1
        LIMIT coalesce(?2, -1)
    )
), (
    SELECT count(*)
    FROM (
        SELECT 1
        FROM execution_open
        WHERE place = 'READY' AND workspace_id = ?1
        LIMIT ?3
    )
);
