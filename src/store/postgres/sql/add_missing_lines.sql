-- Only here. Gives a line to each workspace that has none: those of another store do not move.
INSERT INTO workspace_queue (workspace_id)
SELECT id
FROM workspace
ON CONFLICT (workspace_id) DO NOTHING;
