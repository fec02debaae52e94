-- The migrations that were applied, in order.
SELECT version, name, checksum, applied_at
FROM schema_migration
ORDER BY version;
