-- Only here. The tables of the schema whose rows change all the time, for millrace doctor.
SELECT stat.relname::text,
       stat.n_live_tup,
       stat.n_dead_tup,
       pg_total_relation_size(stat.relid),
       stat.last_autovacuum,
       coalesce('autovacuum_enabled=false' = ANY (class.reloptions)
                    OR 'autovacuum_enabled=off' = ANY (class.reloptions), false)
FROM pg_stat_user_tables AS stat
JOIN pg_class AS class ON class.oid = stat.relid
WHERE stat.schemaname = current_schema()
  AND stat.relname IN ('commit_mark', 'idempotency_key', 'instance', 'job', 'timer', 'user_task')
ORDER BY stat.relname;
