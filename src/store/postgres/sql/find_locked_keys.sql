-- Only here. The places, from 1, of the idempotency keys that somebody else holds at this moment. Waits
-- for nobody. The locks are those of lock_idempotency_keys.
-- $1 workspace_id[]  $2 operation[]  $3 key[]
SELECT asked.place
FROM unnest($1::text[], $2::text[], $3::text[])
     WITH ORDINALITY AS asked (workspace_id, operation, key, place)
WHERE NOT pg_try_advisory_xact_lock(
    hashtextextended(current_schema() || '/' || asked.workspace_id || '/' || asked.operation
                         || '/' || asked.key, 1));
