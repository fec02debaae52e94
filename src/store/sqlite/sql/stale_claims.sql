-- Claimed executions whose claims are older than that.
-- ?1 claimed_before  ?2 count_max
SELECT open.workspace_id, open.id
FROM execution_open AS open
CROSS JOIN execution ON execution.id = open.id AND execution.workspace_id = open.workspace_id
WHERE open.place = 'ACTIVE' AND open.queue_status = 'CLAIMED' AND execution.claimed_at < ?1
ORDER BY execution.claimed_at
LIMIT ?2;
