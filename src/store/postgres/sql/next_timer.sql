-- When the next timer of all workspaces is due.
SELECT fire_at
FROM timer
ORDER BY fire_at
LIMIT 1;
