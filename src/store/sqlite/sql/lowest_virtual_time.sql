-- Only here. The lowest virtual time of the lines that compete; null when none does.
SELECT min(virtual_time)
FROM workspace_queue
WHERE runnable = 1;
