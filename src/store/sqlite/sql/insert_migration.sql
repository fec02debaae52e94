-- Notes that a migration was applied, in its own transaction.
-- ?1 version  ?2 name  ?3 checksum
INSERT INTO schema_migration (version, name, checksum, applied_at)
VALUES (?1, ?2, ?3, CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER));
