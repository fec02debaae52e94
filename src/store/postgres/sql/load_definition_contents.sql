-- The documents of definitions, for servers that have not read them yet.
-- $1 row_id[]
SELECT row_id, content
FROM definition
WHERE row_id = ANY ($1::bigint[]);
