-- Adds the lines of workspaces that have none yet.
-- $1 workspace_id[]
INSERT INTO workspace_queue (workspace_id)
SELECT *
FROM unnest($1::text[])
ON CONFLICT (workspace_id) DO NOTHING;
