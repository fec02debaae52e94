-- Removes marks that nobody will ask for: a committer's own below a number, or, for a program that
-- has just taken the file for itself, all.
-- ?1 committer_id (null: all)  ?2 number
DELETE FROM commit_mark
WHERE ?1 IS NULL OR (committer_id = ?1 AND number < ?2);
