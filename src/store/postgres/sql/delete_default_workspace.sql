-- Only here. Removes the workspace that every schema has from the beginning, before another store's
-- takes its place.
DELETE FROM workspace
WHERE id = 'default';
