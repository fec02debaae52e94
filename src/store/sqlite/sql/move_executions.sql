-- Notes which instance runs for an execution that need not be loaded, if it is open.
-- ?1 workspace_id  ?2 id  ?3 instance_id
UPDATE execution
SET instance_id = ?3
WHERE id = ?2 AND workspace_id = ?1 AND queue_status IN ('PENDING', 'CLAIMED', 'DISPATCHED');
