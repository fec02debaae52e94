-- Only here. The last place in line that was given out; on PostgreSQL a sequence knows it.
SELECT last
FROM job_seq;
