-- Only here. Tables in partitions, for millrace doctor: whether the partition of the next month is
-- there, and the bytes in that for all other ids.
SELECT parent.relname::text,
       to_regclass(quote_ident(current_schema()) || '.'
                   || quote_ident(parent.relname
                                  || to_char((now() AT TIME ZONE 'UTC') + interval '1 month',
                                             '_YYYYMM'))) IS NOT NULL,
       coalesce(pg_relation_size(to_regclass(quote_ident(current_schema()) || '.'
                                             || quote_ident(parent.relname || '_default'))), 0)
FROM pg_class AS parent
WHERE parent.relnamespace = to_regnamespace(quote_ident(current_schema()))
  AND parent.relkind = 'p'
ORDER BY parent.relname;
