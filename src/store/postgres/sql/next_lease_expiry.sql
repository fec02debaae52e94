-- When the next lease of all workspaces runs out.
SELECT lock_expires_at
FROM job
WHERE status = 'LOCKED'
ORDER BY lock_expires_at
LIMIT 1;
