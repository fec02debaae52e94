-- Only here. Size, live and dead rows of our tables, and how many microseconds ago each was last
-- vacuumed, null if never. The parts of a partitioned table count together, and the part that has
-- waited longest.
-- $1 table[]
SELECT root.relname::text,
       sum(pg_total_relation_size(part.relid))::bigint,
       sum(part.n_live_tup)::bigint,
       sum(part.n_dead_tup)::bigint,
       (extract(epoch FROM clock_timestamp()
                           - min(greatest(part.last_vacuum, part.last_autovacuum))) * 1000000)::bigint
FROM pg_stat_user_tables AS part
JOIN pg_class AS root ON root.oid = coalesce(pg_partition_root(part.relid), part.relid)
WHERE root.relnamespace = current_schema()::regnamespace AND root.relname = ANY ($1::text[])
GROUP BY root.relname
ORDER BY root.relname;
