-- User tasks that people find, claim and look back at, and the longest time of a job's try.

ALTER TABLE user_task
    ADD COLUMN definition_id text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN definition_version integer NOT NULL DEFAULT 0,
    ADD COLUMN name text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN status text COLLATE "C" NOT NULL DEFAULT 'OPEN',
    ADD COLUMN assignee text COLLATE "C",
    -- Each group between line ends, so that one is found as a part of the text.
    ADD COLUMN candidate_groups text COLLATE "C",
    ADD COLUMN claimed_at timestamptz,
    ADD COLUMN ended_at timestamptz,
    ADD COLUMN completed_by text COLLATE "C";

UPDATE user_task
SET definition_id = instance.definition_id,
    definition_version = instance.definition_version,
    name = user_task.step_id
FROM instance
WHERE instance.workspace_id = user_task.workspace_id
  AND instance.id = (left(user_task.id::text, 28) || '00000000')::uuid;

CREATE INDEX user_task_open ON user_task (workspace_id, id) WHERE status = 'OPEN';

-- Microseconds.
ALTER TABLE job ADD COLUMN try_timeout bigint;
