-- Ends a lock of this holder now, or when it was held for as long as it has to be.
-- $1 name  $2 holder  $3 duration at least, in microseconds
UPDATE shedlock
SET lock_until = greatest(timezone('utc', clock_timestamp()),
                          locked_at + $3::bigint * interval '1 microsecond')
WHERE name = $1::text AND locked_by = $2::text;
