-- What a step cannot do without: the engine's own columns for it, its primary keys, its claim index.
CREATE TABLE instance (
    workspace_id TEXT NOT NULL,
    id BLOB NOT NULL,
    definition_row_id INTEGER NOT NULL,
    status TEXT NOT NULL,
    variables TEXT NOT NULL,
    state TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    completed_at INTEGER,
    PRIMARY KEY (workspace_id, id)
) STRICT;

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
    lock_expires_at INTEGER,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX job_waiting ON job (workspace_id, job_type, seq) WHERE status = 'UNLOCKED';

CREATE TABLE step_execution (
    workspace_id TEXT NOT NULL,
    id BLOB NOT NULL,
    step_id TEXT NOT NULL,
    step_type TEXT NOT NULL,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    tries TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
