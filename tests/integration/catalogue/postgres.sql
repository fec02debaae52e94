-- Every column of every table of ours, as "table.column type". A partition has those of its table.
SELECT relname || '.' || attname || ' ' || format_type(atttypid, NULL)
FROM pg_class
JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relnamespace = current_schema()::regnamespace
  AND relkind IN ('r', 'p')
  AND NOT relispartition
  AND attnum > 0
  AND NOT attisdropped
