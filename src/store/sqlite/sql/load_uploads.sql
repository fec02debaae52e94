-- For one upload: the latest version of that id (0 when there is none), and the newest version with
-- the same content.
-- ?1 workspace_id  ?2 id  ?3 canonical
SELECT coalesce(latest.version, 0), coalesce(same.version, 0), same.uploaded_at
FROM (SELECT max(version) AS version FROM definition WHERE workspace_id = ?1 AND id = ?2) AS latest
LEFT JOIN (
    SELECT version, uploaded_at
    FROM definition
    WHERE workspace_id = ?1 AND id = ?2 AND canonical = ?3
    ORDER BY version DESC
    LIMIT 1
) AS same;
