-- Removes a committer's own marks below a number: nobody will ask for them again.
-- $1 committer_id  $2 number
DELETE FROM commit_mark
WHERE committer_id = $1::uuid AND number < $2::bigint;
