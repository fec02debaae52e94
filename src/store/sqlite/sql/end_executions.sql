-- Ends one execution that need not be loaded, if it is open.
-- ?1 workspace_id  ?2 id  ?3 queue_status  ?4 error_reason  ?5 error_message  ?6 error_group
-- ?7 completed_at  ?8 instance_id (null: as it was)
UPDATE execution
SET queue_status = ?3,
    error_reason = ?4,
    error_message = ?5,
    error_group = ?6,
    completed_at = ?7,
    next_attempt_at = NULL,
    due_at = NULL,
    claim_owner = NULL,
    instance_id = coalesce(?8, instance_id)
WHERE id = ?2 AND workspace_id = ?1 AND queue_status IN ('PENDING', 'CLAIMED', 'DISPATCHED');
