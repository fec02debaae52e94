-- User tasks that people find, claim and look back at, and the longest time of a job's try.

ALTER TABLE user_task ADD COLUMN definition_id TEXT NOT NULL DEFAULT '';
ALTER TABLE user_task ADD COLUMN definition_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE user_task ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE user_task ADD COLUMN status TEXT NOT NULL DEFAULT 'OPEN';
ALTER TABLE user_task ADD COLUMN assignee TEXT;
-- Each group between line ends, so that one is found as a part of the text.
ALTER TABLE user_task ADD COLUMN candidate_groups TEXT;
ALTER TABLE user_task ADD COLUMN claimed_at INTEGER;
ALTER TABLE user_task ADD COLUMN ended_at INTEGER;
ALTER TABLE user_task ADD COLUMN completed_by TEXT;

UPDATE user_task
SET definition_id = instance.definition_id,
    definition_version = instance.definition_version,
    name = user_task.step_id
FROM instance
WHERE instance.workspace_id = user_task.workspace_id
  AND instance.id = CAST(substr(user_task.id, 1, 12) || x'00000000' AS BLOB);

CREATE INDEX user_task_open ON user_task (workspace_id, id) WHERE status = 'OPEN';

-- Microseconds.
ALTER TABLE job ADD COLUMN try_timeout INTEGER;
