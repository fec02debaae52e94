-- Takes the place of a mark whose batch is in doubt, and says so beside it, by the negative number.
-- Its commit overwrites what a failed one may have left in the log, so that no recovery brings that
-- back. Affects no row when the mark is there.
-- ?1 committer_id  ?2 number
INSERT INTO commit_mark (committer_id, number)
SELECT ?1, given.column1
FROM (VALUES (?2), (-?2)) AS given
WHERE NOT EXISTS (SELECT 1 FROM commit_mark WHERE committer_id = ?1 AND number = ?2);
