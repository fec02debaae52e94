-- Only here. The replicas that have been seen lately, and the one that asks.
-- $1 how lately, in microseconds  $2 id
SELECT id, name, version, started_at, seen_at
FROM replica
WHERE id = $2::uuid OR seen_at > clock_timestamp() - $1::bigint * interval '1 microsecond'
ORDER BY id;
