-- How many rows list_jobs has without paging, up to a number.
-- ?1 workspace_id  ?2 job_type  ?3 status  ?4 worker_id (null: any)  ?5 first id  ?6 last id
-- ?7 count_max
SELECT count(*)
FROM (
    SELECT 1
    FROM job
    WHERE workspace_id = ?1
      AND (?2 IS NULL OR job_type = ?2)
      AND (?3 IS NULL OR CASE WHEN worker_id = '' THEN 'UNLOCKED' ELSE status END = ?3)
      AND (?4 IS NULL OR worker_id = ?4)
      AND id >= ?5 AND id <= ?6
    LIMIT ?7
);
