-- Only here. Holds the names of uploads to the end of the transaction.
-- $1 workspace_id[]  $2 id[]
--
-- A statement of its own before load_uploads: that one must see what the last holder has committed.
-- Sorted by what is locked, for two names may share a lock.
SELECT pg_advisory_xact_lock(name.hash)
FROM (
    SELECT DISTINCT
        hashtextextended(current_schema() || '/' || asked.workspace_id || '/' || asked.id, 0) AS hash
    FROM unnest($1::text[], $2::text[]) AS asked (workspace_id, id)
    ORDER BY hash
    OFFSET 0
) AS name;
