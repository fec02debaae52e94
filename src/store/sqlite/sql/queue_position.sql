-- How many ready executions stand before a place in the line of a workspace, counted to a bound.
-- ?1 workspace_id  ?2 rank_at  ?3 id  ?4 count_max
SELECT count(*)
FROM (
    SELECT 1
    FROM execution_open
    WHERE place = 'READY' AND workspace_id = ?1 AND (rank_at, id) < (?2, ?3)
    LIMIT ?4
);
