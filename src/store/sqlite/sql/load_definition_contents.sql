-- The document of one definition, for servers that have not read it yet.
-- ?1 row_id
SELECT row_id, content
FROM definition
WHERE row_id = ?1;
