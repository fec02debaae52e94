-- Takes the place of a mark whose batch is in doubt, and says so beside it, by the
-- negative number. Waits while that batch is still open; afterwards, if it had not committed, it
-- never can. Affects no row when the mark is there.
-- $1 committer_id  $2 number
WITH refuted AS (
    INSERT INTO commit_mark (committer_id, number)
    VALUES ($1::uuid, $2::bigint)
    ON CONFLICT DO NOTHING
    RETURNING committer_id, number
)
INSERT INTO commit_mark (committer_id, number)
SELECT committer_id, -number
FROM refuted;
