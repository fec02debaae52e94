-- Dead letters of a workspace that look alike, the largest group first.
-- $1 workspace_id  $2 count_max
SELECT grouped.definition_id, grouped.error_reason, latest.error_message, grouped.count,
       grouped.first_at, grouped.last_at, grouped.latest
FROM (
    SELECT definition_id, error_reason, count(*) AS count, min(completed_at) AS first_at,
           max(completed_at) AS last_at, (max(id::text))::uuid AS latest
    FROM execution
    WHERE workspace_id = $1::text AND queue_status = 'FAILED' AND dismissed_at IS NULL
      AND retried_by IS NULL
    GROUP BY definition_id, error_reason, error_group
    ORDER BY count(*) DESC, max(completed_at) DESC
    LIMIT $2::bigint
) AS grouped
JOIN execution AS latest ON latest.id = grouped.latest AND latest.workspace_id = $1::text
ORDER BY grouped.count DESC, grouped.last_at DESC;
