-- Dead letters of a workspace, or of all for an empty name, counted to a bound.
-- $1 workspace_id  $2 count_max
SELECT count(*)
FROM (
    SELECT
    FROM execution
    WHERE ($1::text = '' OR workspace_id = $1::text) AND queue_status = 'FAILED' AND dismissed_at IS NULL
      AND retried_by IS NULL
    LIMIT $2::bigint
) AS counted;
