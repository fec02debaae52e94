-- Only here. The replicas that have been seen lately.
-- $1 how lately, in microseconds
SELECT id, name, version, started_at, seen_at
FROM replica
WHERE seen_at > clock_timestamp() - $1::bigint * interval '1 microsecond'
ORDER BY id;
