-- Adds the line of one workspace, if it has none yet.
-- ?1 workspace_id
INSERT INTO workspace_queue (workspace_id)
VALUES (?1)
ON CONFLICT (workspace_id) DO NOTHING;
