-- A definition of that id in another workspace: one row, or none.
-- ?1 workspace_id  ?2 id
SELECT row_id
FROM definition
WHERE id = ?2 AND workspace_id <> ?1
LIMIT 1;
