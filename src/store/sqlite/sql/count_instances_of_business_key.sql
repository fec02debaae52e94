-- Only here. How many rows list_instances_of_business_key has without paging, up to a number.
-- ?1 workspace_id  ?2 definition_id  ?3 status  ?4 business_key (null: any)  ?5 count_max
SELECT count(*)
FROM (
    SELECT 1
    FROM instance
    WHERE workspace_id = ?1
      AND (?2 IS NULL OR definition_id = ?2)
      AND (?3 IS NULL OR status = ?3)
      AND business_key = ?4
    LIMIT ?5
);
