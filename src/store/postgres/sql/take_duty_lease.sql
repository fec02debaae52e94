-- Only here. Takes the lease of a duty that has run out, with a higher fence.
-- $1 duty  $2 holder  $3 duration in microseconds
--
-- FOR UPDATE, so that it cannot be had while a transaction of the former holder that has passed
-- check_duty_lease is still open; SKIP LOCKED, so that nobody waits for it.
WITH free AS MATERIALIZED (
    SELECT duty
    FROM duty_lease
    WHERE duty = $1::text
      AND holder IS DISTINCT FROM $2::uuid
      AND expires_at <= clock_timestamp()
    FOR UPDATE SKIP LOCKED
)
UPDATE duty_lease
SET holder = $2::uuid,
    fence = duty_lease.fence + 1,
    expires_at = clock_timestamp() + $3::bigint * interval '1 microsecond'
FROM free
WHERE duty_lease.duty = free.duty
RETURNING duty_lease.fence;
