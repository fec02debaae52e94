-- Only here. The indexes of the schema, for millrace doctor; without those of partitions, which
-- follow the index of the whole table.
SELECT index.relname::text, pg_index.indisvalid
FROM pg_index
JOIN pg_class AS index ON index.oid = pg_index.indexrelid
WHERE index.relnamespace = to_regnamespace(quote_ident(current_schema()))
  AND NOT index.relispartition;
