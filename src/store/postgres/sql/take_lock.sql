-- Takes a lock by name for some time from now on, and gives a row, unless somebody has it.
-- $1 name  $2 holder  $3 duration at most, in microseconds
--
-- The table is put in by name. The row stays for good, as ShedLock expects. Not the time at which
-- the transaction began: whoever has waited for the row must not take it by an older clock.
INSERT INTO shedlock AS lock (name, lock_until, locked_at, locked_by)
VALUES ($1::text,
        timezone('utc', clock_timestamp()) + $3::bigint * interval '1 microsecond',
        timezone('utc', clock_timestamp()),
        $2::text)
ON CONFLICT (name) DO UPDATE
SET lock_until = excluded.lock_until,
    locked_at = excluded.locked_at,
    locked_by = excluded.locked_by
WHERE lock.lock_until <= timezone('utc', clock_timestamp())
RETURNING true;
