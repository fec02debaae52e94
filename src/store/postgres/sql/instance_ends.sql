-- When instances of a definition have ended, by id; null for open ones.
-- $1 workspace_id  $2 definition_id  $3 the id before the first  $4 the id behind the last
-- $5 count_max
--
-- Ids are in the order of time, so old instances are found without an index on when they ended:
-- that would be one on a column that changes, and no update of an instance could stay on its page.
SELECT id, completed_at
FROM instance
WHERE definition_id = $2::text AND workspace_id = $1::text AND id > $3::uuid AND id < $4::uuid
ORDER BY definition_id, workspace_id, id
LIMIT $5::bigint;
