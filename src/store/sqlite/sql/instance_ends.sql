-- When instances of a definition have ended, by id; null for open ones.
-- ?1 workspace_id  ?2 definition_id  ?3 the id before the first  ?4 the id behind the last
-- ?5 count_max
SELECT id, completed_at
FROM instance
WHERE definition_id = ?2 AND workspace_id = ?1 AND id > ?3 AND id < ?4
ORDER BY definition_id, workspace_id, id
LIMIT ?5;
