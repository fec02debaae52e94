-- Only here. Renews the lease of a duty for its holder, even if it has run out: nobody has taken it.
-- $1 duty  $2 holder  $3 duration in microseconds
--
-- Touches no key, so it does not wait for the holder's own work under this lease, which has the row
-- locked for key share (check_duty_lease).
UPDATE duty_lease
SET expires_at = clock_timestamp() + $3::bigint * interval '1 microsecond'
WHERE duty = $1::text AND holder = $2::uuid
RETURNING fence;
