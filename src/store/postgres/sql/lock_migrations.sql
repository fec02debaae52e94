-- Only here. One program migrates a schema at a time; the others wait.
SELECT pg_advisory_lock(hashtextextended('millrace migrations of ' || current_schema(), 0));
