-- Locks the first ready executions of workspaces whose lines are locked, and reads them. Those that
-- somebody else has locked are left out.
-- $1 workspace_id[]  $2 count_max[]  $3 bytes_max of their inputs; the first one is read in any case
--
-- Both rows of an execution are locked: one that was changed since it was found ready is looked at again, as
-- it is now. Definitions go only with their workspace, which its locked line keeps; they are counted, because
-- all of them would be read to ask with EXISTS.
WITH ready AS MATERIALIZED (
    SELECT line.place AS line_place,
           execution.workspace_id, execution.id, execution.definition_row_id,
           execution.definition_id, execution.definition_version, execution.queue_status,
           open.place, execution.rank_at, execution.due_at, execution.priority,
           execution.not_before, execution.deadline, execution.concurrency_key,
           execution.requested_by, execution.created_at, execution.claimed_at,
           execution.dispatched_at, execution.started_at, execution.completed_at,
           execution.attempt_count, execution.deferrals, execution.recoveries,
           execution.next_attempt_at, execution.last_error, execution.error_reason,
           execution.error_message, execution.claim_token, execution.claim_owner,
           execution.executor, execution.target, execution.run_id, execution.first_try_at,
           execution.cancel_requested_at, execution.is_forced, execution.is_resuming,
           execution.instance_id, execution.retry_of, execution.retried_by, execution.dismissed_at,
           execution.trace_parent, execution.input
    FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS line (workspace_id, count_max, place)
    CROSS JOIN LATERAL (
        SELECT first.id, first.place, first.rank_at
        FROM execution_open AS first
        WHERE first.place = 'READY' AND first.workspace_id = line.workspace_id
        ORDER BY first.rank_at, first.id
        LIMIT line.count_max
        FOR NO KEY UPDATE SKIP LOCKED
    ) AS open
    CROSS JOIN LATERAL (
        SELECT record.*
        FROM execution AS record
        WHERE record.id = open.id AND record.workspace_id = line.workspace_id
          AND record.queue_status = 'PENDING'
        FOR NO KEY UPDATE SKIP LOCKED
    ) AS execution
), measured AS (
    SELECT id, sum(octet_length(input)) OVER (
               ORDER BY line_place, rank_at, id
               ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
    FROM ready
)
SELECT ready.*,
       CASE WHEN ready.concurrency_key IS NULL THEN 0 ELSE (
           SELECT count(*)
           FROM execution_open AS active
           WHERE active.place = 'ACTIVE'
             AND active.workspace_id = ready.workspace_id
             AND active.concurrency_key = ready.concurrency_key) END,
       (SELECT count(*) FROM definition WHERE row_id = ready.definition_row_id) = 1
FROM ready
JOIN measured ON measured.id = ready.id
WHERE coalesce(measured.bytes_before, 0) < $3::bigint
ORDER BY ready.line_place, ready.rank_at, ready.id;
