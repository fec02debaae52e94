-- A definition of that id in another workspace: one row, or none.
-- $1 workspace_id  $2 id
SELECT row_id
FROM definition
WHERE id = $2::text AND workspace_id <> $1::text
LIMIT 1;
