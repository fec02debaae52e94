-- Adds one execution.
-- ?1 workspace_id  ?2 id  ?3 definition_row_id  ?4 definition_id  ?5 definition_version
-- ?6 queue_status  ?7 place  ?8 rank_at  ?9 due_at  ?10 priority  ?11 not_before  ?12 deadline
-- ?13 concurrency_key  ?14 requested_by  ?15 created_at  ?16 claimed_at  ?17 dispatched_at
-- ?18 started_at  ?19 completed_at  ?20 attempt_count  ?21 deferrals  ?22 recoveries
-- ?23 next_attempt_at  ?24 last_error  ?25 error_reason  ?26 error_message  ?27 error_group
-- ?28 claim_token  ?29 claim_owner  ?30 executor  ?31 target  ?32 run_id  ?33 first_try_at
-- ?34 cancel_requested_at  ?35 is_forced  ?36 is_resuming  ?37 instance_id  ?38 retry_of
-- ?39 retried_by  ?40 dismissed_at  ?41 trace_parent  ?42 input
INSERT INTO execution (
    workspace_id, id, definition_row_id, definition_id, definition_version, queue_status, place,
    rank_at, due_at, priority, not_before, deadline, concurrency_key, requested_by, created_at,
    claimed_at, dispatched_at, started_at, completed_at, attempt_count, deferrals, recoveries,
    next_attempt_at, last_error, error_reason, error_message, error_group, claim_token,
    claim_owner, executor, target, run_id, first_try_at, cancel_requested_at, is_forced,
    is_resuming, instance_id, retry_of, retried_by, dismissed_at, trace_parent, input)
VALUES (
    ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
    ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39,
    ?40, ?41, ?42);
