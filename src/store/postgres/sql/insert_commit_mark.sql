-- Says that this batch has committed, to whoever asks after a lost reply. Fails when the mark is
-- there: then somebody has given this batch up already.
-- $1 committer_id  $2 number
INSERT INTO commit_mark (committer_id, number)
VALUES ($1::uuid, $2::bigint);
