-- How many workspaces there are, counted to a bound.
-- ?1 count_max
SELECT count(*)
FROM (
    SELECT 1
    FROM workspace
    LIMIT ?1
);
