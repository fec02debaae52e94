-- The migrations that were applied, in order.
SELECT version, name, checksum
FROM schema_migration
ORDER BY version;
