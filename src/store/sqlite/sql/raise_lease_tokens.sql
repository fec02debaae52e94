-- Only here. Steps over the lease tokens that claims may have given out and lost with the machine.
--
-- A claim is not forced to the disk, so a job can be found unclaimed again after a power failure.
-- What unlocks a claimed job is forced, and all before it: no job can have lost more than one claim.
UPDATE job
SET lease_token = lease_token + 1
WHERE status = 'UNLOCKED';
