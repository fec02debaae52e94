-- Timers of all workspaces that are due, the longest overdue first.
-- ?1 now  ?2 count_max  ?3 fire_at of the last one seen  ?4 its id
SELECT workspace_id, id, fire_at
FROM timer
WHERE fire_at <= ?1
  AND fire_at >= ?3
  AND (fire_at > ?3 OR id > ?4)
ORDER BY fire_at, id
LIMIT ?2;
