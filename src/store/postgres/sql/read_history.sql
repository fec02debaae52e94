-- The closed step executions of an instance, in the order of their ids.
-- $1 workspace_id  $2 the id of the instance, or of the last one seen
-- $3 the last id that an instance can have given out  $4 count_max  $5 bytes_max
--
-- The line whose tries and reason reach $5 is the last one; `found` tells how many there would have been.
-- Lengths are read without the values.
SELECT workspace_id, id, step_id, step_type, attempt_number, status, started_at, ended_at,
       failure_reason, job_status, tries, completed_by, found
FROM (
    SELECT part.*, count(*) OVER () AS found,
           sum(coalesce(octet_length(tries), 0)::bigint + coalesce(octet_length(failure_reason), 0)) OVER (
               ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
           ) AS bytes_before
    FROM (
        SELECT workspace_id, id, step_id, step_type, attempt_number, status, started_at, ended_at,
               failure_reason, job_status, tries, completed_by
        FROM step_execution
        WHERE workspace_id = $1::text AND id > $2::uuid AND id <= $3::uuid
        ORDER BY id
        LIMIT $4::bigint
    ) AS part
) AS measured
WHERE bytes_before IS NULL OR bytes_before < $5::bigint
ORDER BY id;
