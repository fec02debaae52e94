-- Whether a mark was put there by a refutation, now or in an attempt whose own COMMIT failed.
-- ?1 committer_id  ?2 number
SELECT EXISTS (SELECT 1 FROM commit_mark WHERE committer_id = ?1 AND number = -?2);
