-- The first definition behind the given one in the order of workspace and id, of all workspaces.
-- ?1 workspace_id  ?2 id
SELECT workspace_id, id
FROM definition
WHERE (workspace_id, id) > (?1, ?2)
ORDER BY workspace_id, id
LIMIT 1;
