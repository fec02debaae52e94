-- How many rows list_jobs has without paging, up to a number.
-- $1 workspace_id  $2 job_type  $3 status  $4 worker_id (null: any)  $5 first id  $6 last id
-- $7 count_max
SELECT count(*)
FROM (
    SELECT
    FROM job
    WHERE workspace_id = $1::text
      AND ($2::text IS NULL OR job_type = $2::text)
      AND ($3::text IS NULL OR CASE WHEN worker_id = '' THEN 'UNLOCKED' ELSE status END = $3::text)
      AND ($4::text IS NULL OR worker_id = $4::text)
      AND id >= $5::uuid AND id <= $6::uuid
    LIMIT $7::bigint
) AS counted;
