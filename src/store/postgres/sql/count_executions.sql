-- How many executions a list has, counted to a bound.
-- $1 workspace_id  $2 statuses, each between commas  $3 definition_id  $4 concurrency_key
-- $5 error_reason  $6 requested_by  $7 created_from  $8 created_before  $9 1: dead letters only
-- $10 count_max
SELECT count(*)
FROM (
    SELECT
    FROM execution
    WHERE execution.workspace_id = $1::text
      AND ($2::text IS NULL OR strpos($2::text, ',' || execution.queue_status || ',') > 0)
      AND ($3::text IS NULL OR execution.definition_id = $3::text)
      AND ($4::text IS NULL OR execution.concurrency_key = $4::text)
      AND ($5::text IS NULL OR execution.error_reason = $5::text)
      AND ($6::text IS NULL OR execution.requested_by = $6::text)
      AND ($7::timestamptz IS NULL OR execution.created_at >= $7::timestamptz)
      AND ($8::timestamptz IS NULL OR execution.created_at < $8::timestamptz)
      AND ($9::integer IS NULL OR (execution.queue_status = 'FAILED'
           AND execution.dismissed_at IS NULL AND execution.retried_by IS NULL))
    LIMIT $10::bigint
) AS counted;
