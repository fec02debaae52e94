-- Only here. Ends all leases of a replica.
-- $1 holder
UPDATE duty_lease
SET holder = NULL, expires_at = clock_timestamp()
WHERE holder = $1::uuid;
