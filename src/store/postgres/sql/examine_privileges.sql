-- Only here. What the role may not do to tables and sequences of the schema, for millrace doctor.
--
-- The kind is asked first by CASE: conditions side by side are tried in any order.
SELECT pg_class.relname::text, asked.privilege
FROM pg_class
CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS asked (privilege)
WHERE pg_class.relnamespace = to_regnamespace(quote_ident(current_schema()))
  AND pg_class.relkind IN ('r', 'p')
  AND NOT has_table_privilege(pg_class.oid, asked.privilege)
UNION ALL
SELECT pg_class.relname::text, 'USAGE'
FROM pg_class
WHERE pg_class.relnamespace = to_regnamespace(quote_ident(current_schema()))
  AND CASE WHEN pg_class.relkind = 'S'
           THEN NOT has_sequence_privilege(pg_class.oid, 'USAGE')
           ELSE false
      END
UNION ALL
SELECT current_schema()::text, 'CREATE'
WHERE NOT has_schema_privilege(current_schema()::text, 'CREATE')
ORDER BY 1, 2;
