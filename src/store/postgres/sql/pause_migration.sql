-- Only here. Lets others go first who have waited behind a migration for a lock.
SELECT pg_sleep(1);
