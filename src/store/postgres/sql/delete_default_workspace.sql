-- Only here. Removes the workspace that every schema has from the beginning, before another store's
-- takes its place. One that somebody has changed stays: then the target is not empty.
DELETE FROM workspace
WHERE id = 'default' AND changed_at = created_at;
