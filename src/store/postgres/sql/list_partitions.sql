-- Only here. The partitions that have bounds, by table and id: table, name, first id or null for
-- the beginning, and the first id behind it.
SELECT parent.relname::text,
       child.relname::text,
       substring(bound.text FROM 'FROM \(''([0-9a-f-]+)''\)')::uuid,
       substring(bound.text FROM 'TO \(''([0-9a-f-]+)''\)')::uuid
FROM pg_inherits
JOIN pg_class AS parent ON parent.oid = pg_inherits.inhparent
JOIN pg_class AS child ON child.oid = pg_inherits.inhrelid
CROSS JOIN LATERAL (SELECT pg_get_expr(child.relpartbound, child.oid)) AS bound (text)
WHERE pg_inherits.inhparent IN ('step_execution'::regclass, 'audit_entry'::regclass)
  AND bound.text LIKE 'FOR VALUES FROM %'
ORDER BY parent.relname, 4;
