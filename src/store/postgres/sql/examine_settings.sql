-- Only here. Settings of the server that matter, for millrace doctor.
SELECT name, setting
FROM pg_settings
WHERE name IN ('archive_mode', 'autovacuum', 'default_transaction_read_only', 'fsync',
               'full_page_writes', 'max_connections', 'superuser_reserved_connections',
               'synchronous_commit', 'synchronous_standby_names', 'track_counts', 'wal_level')
ORDER BY name;
