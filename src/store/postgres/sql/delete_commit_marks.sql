-- Removes marks that nobody will ask for: a committer's own below a number, and those of committers
-- of long ago, whose ids begin with the time of their making.
-- $1 committer_id  $2 number  $3 the first committer_id that is not of long ago
--
-- Sorted and skipping: two committers may sweep at once.
DELETE FROM commit_mark
USING (
    SELECT committer_id, number
    FROM commit_mark
    WHERE committer_id < $3::uuid OR (committer_id = $1::uuid AND number < $2::bigint)
    ORDER BY committer_id, number
    LIMIT 10000
    FOR UPDATE SKIP LOCKED
) AS old
WHERE commit_mark.committer_id = old.committer_id AND commit_mark.number = old.number;
