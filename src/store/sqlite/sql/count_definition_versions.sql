-- How many rows list_definition_versions has without paging, up to a number.
-- ?1 workspace_id  ?2 id  ?3 count_max
SELECT count(*)
FROM (
    SELECT 1
    FROM definition
    WHERE workspace_id = ?1 AND id = ?2
    LIMIT ?3
);
