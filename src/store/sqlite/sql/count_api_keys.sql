-- How many rows list_api_keys has without paging, up to a number.
-- ?1 workspace_id (null: all)  ?2 count_max
SELECT count(*)
FROM (
    SELECT 1
    FROM api_key
    WHERE ?1 IS NULL OR workspace_id = ?1
    LIMIT ?2
);
