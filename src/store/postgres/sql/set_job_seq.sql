-- Only here. Has the places in line go on behind those that another store gave out.
-- $1 the last of them, or 0
SELECT setval('job_seq', greatest($1::bigint, 1), $1 > 0);
