-- Ends a lock of this holder now, or when it was held for as long as it has to be.
-- ?1 name  ?2 holder  ?3 duration at least, in seconds
UPDATE shedlock
SET lock_until = max(strftime('%Y-%m-%d %H:%M:%f', 'now'),
                     strftime('%Y-%m-%d %H:%M:%f', locked_at, ?3 || ' seconds'))
WHERE name = ?1 AND locked_by = ?2;
