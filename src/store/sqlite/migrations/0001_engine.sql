-- Definitions, instances and their open work, closed history, and the marks of committed batches.
-- Ids are 16 bytes, big endian, so that they sort as they were born. Times are microseconds since
-- 1970. A table without rowid is one tree instead of two: right for narrow rows, and for history,
-- which is read by ranges of ids; an instance's row is too wide for that.

-- AUTOINCREMENT: a row id is never used again.
CREATE TABLE definition (
    row_id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    canonical TEXT NOT NULL,
    uploaded_at INTEGER NOT NULL,
    UNIQUE (workspace_id, id, version)
) STRICT;

CREATE TABLE instance (
    workspace_id TEXT NOT NULL,
    id BLOB NOT NULL,
    definition_row_id INTEGER NOT NULL,
    definition_id TEXT NOT NULL,
    definition_version INTEGER NOT NULL,
    status TEXT NOT NULL,
    business_key TEXT,
    variables TEXT NOT NULL,
    state TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    completed_at INTEGER,
    failure_reason TEXT,
    parent_id BLOB,
    PRIMARY KEY (workspace_id, id)
) STRICT;

-- The definition first: an index that begins like the primary key is taken for it by plans that were
-- made while the table was empty.
CREATE INDEX instance_of_definition ON instance (definition_id, workspace_id, id);
CREATE INDEX instance_business_key ON instance (workspace_id, business_key, id)
    WHERE business_key IS NOT NULL;

-- Only open jobs have rows.
CREATE TABLE job (
    workspace_id TEXT NOT NULL,
    id BLOB NOT NULL,
    instance_id BLOB NOT NULL,
    job_type TEXT NOT NULL,
    step_id TEXT NOT NULL,
    status TEXT NOT NULL,
    retries_remaining INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    lease_token INTEGER NOT NULL,
    worker_id TEXT,
    locked_at INTEGER,
    lock_expires_at INTEGER,
    created_at INTEGER NOT NULL,
    variables TEXT,
    PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX job_waiting ON job (workspace_id, job_type, seq) WHERE status = 'UNLOCKED';
CREATE INDEX job_leased ON job (lock_expires_at) WHERE status = 'LOCKED';

-- The last place in line that was given out. One row.
CREATE TABLE job_seq (
    last INTEGER NOT NULL
) STRICT;

INSERT INTO job_seq (last) VALUES (0);

CREATE TABLE timer (
    workspace_id TEXT NOT NULL,
    id BLOB NOT NULL,
    fire_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX timer_fire_at ON timer (fire_at);

CREATE TABLE user_task (
    workspace_id TEXT NOT NULL,
    id BLOB NOT NULL,
    step_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

-- Written once, when the step is over. The id leads to the instance: its history is a range.
CREATE TABLE step_execution (
    workspace_id TEXT NOT NULL,
    id BLOB NOT NULL,
    step_id TEXT NOT NULL,
    step_type TEXT NOT NULL,
    attempt_number INTEGER NOT NULL,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    failure_reason TEXT,
    job_status TEXT,
    tries TEXT,
    completed_by TEXT,
    PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

-- One row for each batch that has committed; a committer deletes its old ones by range.
CREATE TABLE commit_mark (
    committer_id BLOB NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (committer_id, number)
) STRICT, WITHOUT ROWID;
