-- Only here. Fails unless this is the latest fence of a duty's lease, and keeps it so until the
-- transaction ends: the first statement of whatever is done under the lease.
-- $1 duty  $2 fence
--
-- A division by zero (22012, data_refused), because the statements behind it in the same round trip
-- would run whatever it returned. KEY SHARE stops new holders and lets the present one renew.
WITH lease AS MATERIALIZED (
    SELECT duty
    FROM duty_lease
    WHERE duty = $1::text AND fence = $2::bigint
    FOR KEY SHARE
)
SELECT 1 / count(*)
FROM lease;
