-- Changes what can change of executions that the batch has locked.
-- $1 workspace_id[]  $2 id[]  $3 queue_status[]  $4 place[]  $5 rank_at[]  $6 due_at[]  $7
-- not_before[]  $8 deadline[]  $9 claimed_at[]  $10 dispatched_at[]  $11 started_at[]  $12
-- completed_at[]  $13 attempt_count[]  $14 deferrals[]  $15 recoveries[]  $16 next_attempt_at[]  $17
-- last_error[]  $18 error_reason[]  $19 error_message[]  $20 error_group[]  $21 claim_token[]  $22
-- claim_owner[]  $23 run_id[]  $24 first_try_at[]  $25 cancel_requested_at[]  $26 is_forced[]  $27
-- is_resuming[]  $28 instance_id[]  $29 retried_by[]  $30 dismissed_at[]
UPDATE execution
SET queue_status = given.queue_status,
    place = given.place,
    rank_at = given.rank_at,
    due_at = given.due_at,
    not_before = given.not_before,
    deadline = given.deadline,
    claimed_at = given.claimed_at,
    dispatched_at = given.dispatched_at,
    started_at = given.started_at,
    completed_at = given.completed_at,
    attempt_count = given.attempt_count,
    deferrals = given.deferrals,
    recoveries = given.recoveries,
    next_attempt_at = given.next_attempt_at,
    last_error = given.last_error,
    error_reason = given.error_reason,
    error_message = given.error_message,
    error_group = given.error_group,
    claim_token = given.claim_token,
    claim_owner = given.claim_owner,
    run_id = given.run_id,
    first_try_at = given.first_try_at,
    cancel_requested_at = given.cancel_requested_at,
    is_forced = given.is_forced,
    is_resuming = given.is_resuming,
    instance_id = given.instance_id,
    retried_by = given.retried_by,
    dismissed_at = given.dismissed_at
FROM unnest(
    $1::text[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
    $7::timestamptz[], $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $11::timestamptz[],
    $12::timestamptz[], $13::integer[], $14::integer[], $15::integer[], $16::timestamptz[],
    $17::text[], $18::text[], $19::text[], $20::text[], $21::bigint[], $22::text[], $23::text[],
    $24::timestamptz[], $25::timestamptz[], $26::integer[], $27::integer[], $28::uuid[], $29::uuid[],
    $30::timestamptz[])
    AS given (
        workspace_id, id, queue_status, place, rank_at, due_at, not_before, deadline, claimed_at,
        dispatched_at, started_at, completed_at, attempt_count, deferrals, recoveries,
        next_attempt_at, last_error, error_reason, error_message, error_group, claim_token,
        claim_owner, run_id, first_try_at, cancel_requested_at, is_forced, is_resuming, instance_id,
        retried_by, dismissed_at)
WHERE execution.id = given.id AND execution.workspace_id = given.workspace_id;
