-- Fails unless the lock table has what a lock needs.
SELECT name, lock_until, locked_at, locked_by
FROM shedlock
LIMIT 0;
