-- The keys of a workspace's oldest audit entries, by id.
-- $1 workspace_id  $2 the id behind the last  $3 count_max
SELECT workspace_id, id
FROM audit_entry
WHERE workspace_id = $1::text AND id < $2::uuid
ORDER BY id
LIMIT $3::bigint;
