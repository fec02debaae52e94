-- Notes that a migration was applied, in its own transaction.
-- $1 version  $2 name  $3 checksum
INSERT INTO schema_migration (version, name, checksum, applied_at)
VALUES ($1::integer, $2::text, $3::text, clock_timestamp());
