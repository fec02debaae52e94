-- Only here. Lets the next program migrate.
SELECT pg_advisory_unlock(hashtextextended('millrace migrations of ' || current_schema(), 0));
