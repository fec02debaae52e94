-- The number of the job that asked for the same work first, before its instance failed and was retried:
-- workers go on to hand on the key of that one. Null for jobs that are the first.

ALTER TABLE job ADD COLUMN first_sequence bigint;
