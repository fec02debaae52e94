-- Only here. Says that a replica lives. When it began is kept from its first report.
-- $1 id  $2 name  $3 version
INSERT INTO replica (id, name, version, started_at, seen_at)
VALUES ($1::uuid, $2::text, $3::text, clock_timestamp(), clock_timestamp())
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
