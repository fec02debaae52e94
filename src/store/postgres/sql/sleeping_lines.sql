-- Only here. Which of these workspaces do not compete.
-- $1 workspace_id[]
SELECT workspace_id
FROM workspace_queue
WHERE workspace_id = ANY ($1::text[]) AND NOT runnable;
