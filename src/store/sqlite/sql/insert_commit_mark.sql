-- Says that this batch has committed, to whoever asks after an error of COMMIT.
-- ?1 committer_id  ?2 number
INSERT INTO commit_mark (committer_id, number)
VALUES (?1, ?2);
