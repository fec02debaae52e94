-- The versions of one definition, newest first.
-- ?1 workspace_id  ?2 id  ?3 the version after the first (0: none)  ?4 count_max  ?5 count_skipped
SELECT id, version, name, uploaded_at
FROM definition
WHERE workspace_id = ?1 AND id = ?2 AND (?3 = 0 OR version < ?3)
ORDER BY version DESC
LIMIT ?4 OFFSET ?5;
