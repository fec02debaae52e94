-- Only here. The size of the database, the position in the write-ahead log, and of the transactions
-- of Millrace servers, then of all others, the age of the oldest in microseconds and of the oldest
-- snapshot in transactions.
--
-- Servers have one application name, this connection's. An account that may not read all statistics
-- sees no times of other accounts, but their snapshots. Vacuum minds the snapshots of this database
-- and of standbys, of prepared transactions and of replication slots, and none of other vacuums.
WITH activity AS (
    SELECT application_name = current_setting('application_name') AS is_own, xact_start,
           age(backend_xmin) AS snapshot_age
    FROM pg_stat_activity
    WHERE pid <> pg_backend_pid()
      AND (datname = current_database() OR backend_type = 'walsender')
      AND backend_type <> 'autovacuum worker'
    UNION ALL
    SELECT false, prepared, age(transaction)
    FROM pg_prepared_xacts
    WHERE database = current_database()
    UNION ALL
    SELECT false, NULL, age(xmin)
    FROM pg_replication_slots
),
oldest AS (
    SELECT is_own,
           extract(epoch FROM clock_timestamp() - min(xact_start)) * 1000000 AS age,
           max(snapshot_age) AS snapshot_age
    FROM activity
    GROUP BY is_own
)
SELECT pg_database_size(current_database()),
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint,
       coalesce((SELECT age FROM oldest WHERE is_own), 0)::bigint,
       coalesce((SELECT snapshot_age FROM oldest WHERE is_own), 0)::bigint,
       coalesce((SELECT age FROM oldest WHERE NOT is_own), 0)::bigint,
       coalesce((SELECT snapshot_age FROM oldest WHERE NOT is_own), 0)::bigint;
