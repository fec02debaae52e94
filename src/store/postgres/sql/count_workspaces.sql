-- How many workspaces there are, counted to a bound.
-- $1 count_max
SELECT count(*)
FROM (SELECT FROM workspace LIMIT $1::bigint) AS counted;
