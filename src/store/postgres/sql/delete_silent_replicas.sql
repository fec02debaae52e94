-- Only here. Forgets the replicas that have not been seen for a day. There are never many rows.
--
-- Skips locked rows: all replicas do this.
DELETE FROM replica
USING (
    SELECT id
    FROM replica
    WHERE seen_at < clock_timestamp() - interval '1 day'
    FOR UPDATE SKIP LOCKED
) AS silent
WHERE replica.id = silent.id;
