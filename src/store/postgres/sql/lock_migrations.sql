-- Only here. One program migrates a schema at a time; the others wait until its transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended('migrations of ' || current_schema(), 0));
