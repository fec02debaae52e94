-- Only here. Whether there is such a table, in the search path if the name has no schema.
-- $1 name
SELECT to_regclass($1::text) IS NOT NULL;
