-- Locked jobs of all workspaces whose lease has run out, the longest overdue first.
-- ?1 now  ?2 count_max  ?3 lock_expires_at of the last one seen  ?4 its id
SELECT workspace_id, id, lock_expires_at
FROM job
WHERE status = 'LOCKED'
  AND lock_expires_at <= ?1
  AND lock_expires_at >= ?3
  AND (lock_expires_at > ?3 OR id > ?4)
ORDER BY lock_expires_at, id
LIMIT ?2;
