-- Changes what can change of one execution.
-- ?1 workspace_id  ?2 id  ?3 queue_status  ?4 place  ?5 rank_at  ?6 due_at  ?7 not_before
-- ?8 deadline  ?9 claimed_at  ?10 dispatched_at  ?11 started_at  ?12 completed_at
-- ?13 attempt_count  ?14 deferrals  ?15 recoveries  ?16 next_attempt_at  ?17 last_error
-- ?18 error_reason  ?19 error_message  ?20 error_group  ?21 claim_token  ?22 claim_owner
-- ?23 run_id  ?24 first_try_at  ?25 cancel_requested_at  ?26 is_forced  ?27 is_resuming
-- ?28 instance_id  ?29 retried_by  ?30 dismissed_at
UPDATE execution
SET queue_status = ?3,
    place = ?4,
    rank_at = ?5,
    due_at = ?6,
    not_before = ?7,
    deadline = ?8,
    claimed_at = ?9,
    dispatched_at = ?10,
    started_at = ?11,
    completed_at = ?12,
    attempt_count = ?13,
    deferrals = ?14,
    recoveries = ?15,
    next_attempt_at = ?16,
    last_error = ?17,
    error_reason = ?18,
    error_message = ?19,
    error_group = ?20,
    claim_token = ?21,
    claim_owner = ?22,
    run_id = ?23,
    first_try_at = ?24,
    cancel_requested_at = ?25,
    is_forced = ?26,
    is_resuming = ?27,
    instance_id = ?28,
    retried_by = ?29,
    dismissed_at = ?30
WHERE id = ?2 AND workspace_id = ?1;
