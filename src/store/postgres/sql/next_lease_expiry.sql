-- When the first lease of all workspaces runs out after that moment.
-- $1 after
SELECT lock_expires_at
FROM job
WHERE status = 'LOCKED' AND lock_expires_at > $1::timestamptz
ORDER BY lock_expires_at
LIMIT 1;
