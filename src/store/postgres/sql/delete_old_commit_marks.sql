-- Only here. Removes what committers of long ago have left; ids begin with the time of their making.
-- $1 the first committer_id that is not of long ago
--
-- Skips locked rows: two committers may sweep at once.
DELETE FROM commit_mark
USING (
    SELECT committer_id, number
    FROM commit_mark
    WHERE committer_id < $1::uuid
    ORDER BY committer_id, number
    LIMIT 10000
    FOR UPDATE SKIP LOCKED
) AS old
WHERE commit_mark.committer_id = old.committer_id AND commit_mark.number = old.number;
