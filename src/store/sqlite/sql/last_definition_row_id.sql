-- Only here. The last row id that a definition got; none before the first. On PostgreSQL a sequence
-- knows it.
SELECT seq
FROM sqlite_sequence
WHERE name = 'definition';
