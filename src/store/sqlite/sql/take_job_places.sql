-- Only here. Draws the next places in line, as many as given, and returns the last of them. Other
-- databases have sequences.
-- ?1 count
UPDATE job_seq
SET last = last + ?1
RETURNING last;
