-- Only here. Who keeps dead rows from being removed, the oldest first, for millrace doctor: kind,
-- name, process, state, since when (null for slots), how many transactions ago.
SELECT holder.kind, holder.name, holder.pid, holder.state, holder.since, holder.age::bigint
FROM (
    SELECT 'session' AS kind,
           coalesce(nullif(application_name, ''), 'unnamed') || ' of ' || coalesce(usename, '?')
               AS name,
           pid,
           coalesce(state, '') AS state,
           xact_start AS since,
           age(backend_xmin) AS age
    FROM pg_stat_activity
    WHERE backend_xmin IS NOT NULL AND datname = current_database() AND pid <> pg_backend_pid()
    UNION ALL
    SELECT 'prepared transaction', gid, 0, 'prepared', prepared, age(transaction)
    FROM pg_prepared_xacts
    WHERE database = current_database()
    UNION ALL
    SELECT 'replication slot', slot_name, coalesce(active_pid, 0),
           CASE WHEN active THEN 'active' ELSE 'inactive' END,
           NULL, age(xmin)
    FROM pg_replication_slots
    WHERE xmin IS NOT NULL
) AS holder
ORDER BY holder.age DESC
LIMIT 10;
