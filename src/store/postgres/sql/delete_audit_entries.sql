-- Removes rows that have expired. One that is gone already is fine.
-- $1 workspace_id[]  $2 id[]
DELETE FROM audit_entry
USING unnest($1::text[], $2::uuid[]) AS given (workspace_id, id)
WHERE audit_entry.workspace_id = given.workspace_id AND audit_entry.id = given.id;
