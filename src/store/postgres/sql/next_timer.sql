-- When the first timer of all workspaces is due after that moment.
-- $1 after
SELECT fire_at
FROM timer
WHERE fire_at > $1::timestamptz
ORDER BY fire_at
LIMIT 1;
