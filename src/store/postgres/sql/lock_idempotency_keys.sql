-- Only here. Holds idempotency keys to the end of the transaction, also those that have no row yet.
-- $1 workspace_id[]  $2 operation[]  $3 key[]
--
-- A statement of its own before load_idempotency_keys: that one must see what the last holder has
-- committed. Sorted by what is locked, for two keys may share a lock. The seed keeps these locks
-- apart from those of lock_uploads.
SELECT pg_advisory_xact_lock(name.hash)
FROM (
    SELECT DISTINCT
        hashtextextended(current_schema() || '/' || asked.workspace_id || '/' || asked.operation
                             || '/' || asked.key, 1) AS hash
    FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (workspace_id, operation, key)
    ORDER BY hash
    OFFSET 0
) AS name;
