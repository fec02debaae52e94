-- Takes a lock by name for some time from now on, and gives a row, unless somebody has it.
-- ?1 name  ?2 holder  ?3 duration at most, in seconds
--
-- The table is put in by name. The row stays for good, as ShedLock expects.
INSERT INTO shedlock AS lock (name, lock_until, locked_at, locked_by)
VALUES (?1,
        strftime('%Y-%m-%d %H:%M:%f', 'now', ?3 || ' seconds'),
        strftime('%Y-%m-%d %H:%M:%f', 'now'),
        ?2)
ON CONFLICT (name) DO UPDATE
SET lock_until = excluded.lock_until,
    locked_at = excluded.locked_at,
    locked_by = excluded.locked_by
WHERE lock.lock_until <= strftime('%Y-%m-%d %H:%M:%f', 'now')
RETURNING 1;
