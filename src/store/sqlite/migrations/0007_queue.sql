-- The execution queue: workspaces, executions, and the hot rows of those that are open. A slot of a
-- workspace is the row of an active execution: there is no counter that could leak.

CREATE TABLE workspace (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    plan TEXT NOT NULL,
    max_active INTEGER,
    max_per_key INTEGER,
    rate_per_second REAL,
    max_attempts INTEGER,
    weight INTEGER NOT NULL,
    is_paused INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How workspaces compete. 1: runnable.
CREATE TABLE workspace_queue (
    workspace_id TEXT NOT NULL PRIMARY KEY,
    runnable INTEGER NOT NULL DEFAULT 0,
    virtual_time REAL NOT NULL DEFAULT 0,
    rate_tokens REAL NOT NULL DEFAULT 0,
    rate_counted_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX workspace_queue_runnable ON workspace_queue (virtual_time, workspace_id)
    WHERE runnable = 1;

-- The record, from the enqueue until retention. The id first: it is looked up without its workspace.
-- In which line an open one stands, its open row knows best.
CREATE TABLE execution (
    id BLOB NOT NULL,
    workspace_id TEXT NOT NULL,
    definition_row_id INTEGER NOT NULL,
    definition_id TEXT NOT NULL,
    definition_version INTEGER NOT NULL,
    queue_status TEXT NOT NULL,
    place TEXT NOT NULL,
    rank_at INTEGER NOT NULL,
    due_at INTEGER,
    priority INTEGER NOT NULL,
    not_before INTEGER,
    deadline INTEGER,
    concurrency_key TEXT,
    requested_by TEXT,
    created_at INTEGER NOT NULL,
    claimed_at INTEGER,
    dispatched_at INTEGER,
    started_at INTEGER,
    completed_at INTEGER,
    attempt_count INTEGER NOT NULL,
    deferrals INTEGER NOT NULL,
    recoveries INTEGER NOT NULL,
    next_attempt_at INTEGER,
    last_error TEXT,
    error_reason TEXT,
    error_message TEXT,
    error_group TEXT, -- The message without what differs between alike ones.
    claim_token INTEGER NOT NULL,
    claim_owner TEXT,
    executor TEXT NOT NULL,
    target TEXT,
    run_id TEXT,
    first_try_at INTEGER,
    cancel_requested_at INTEGER,
    is_forced INTEGER NOT NULL,
    is_resuming INTEGER NOT NULL,
    instance_id BLOB,
    retry_of BLOB,
    retried_by BLOB,
    dismissed_at INTEGER,
    trace_parent TEXT,
    input TEXT NOT NULL,
    result TEXT,
    PRIMARY KEY (id, workspace_id)
) STRICT;

CREATE INDEX execution_of_definition ON execution (definition_id, workspace_id, id);
CREATE INDEX execution_of_status ON execution (workspace_id, queue_status, id);
CREATE INDEX execution_dead ON execution (workspace_id, id)
    WHERE queue_status = 'FAILED' AND dismissed_at IS NULL AND retried_by IS NULL;

-- Only open executions have rows: what admissions, leases and counts look at.
CREATE TABLE execution_open (
    id BLOB NOT NULL,
    workspace_id TEXT NOT NULL,
    place TEXT NOT NULL,
    queue_status TEXT NOT NULL,
    rank_at INTEGER NOT NULL,
    due_at INTEGER,
    deadline INTEGER,
    concurrency_key TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (id, workspace_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX execution_open_ready ON execution_open (workspace_id, rank_at, id)
    WHERE place = 'READY';
CREATE INDEX execution_open_parked ON execution_open (workspace_id, concurrency_key, rank_at, id)
    WHERE place = 'PARKED';
CREATE INDEX execution_open_active ON execution_open (workspace_id, concurrency_key, queue_status)
    WHERE place = 'ACTIVE';
CREATE INDEX execution_open_due ON execution_open (due_at) WHERE place = 'DUE';
CREATE INDEX execution_open_waiting ON execution_open (workspace_id) WHERE place = 'DUE';
CREATE INDEX execution_open_unattended ON execution_open (due_at)
    WHERE place = 'ACTIVE' AND due_at IS NOT NULL;
CREATE INDEX execution_open_deadline ON execution_open (deadline)
    WHERE place <> 'ACTIVE' AND deadline IS NOT NULL;

-- Who asks for a definition of another workspace is told so.
CREATE INDEX definition_of_id ON definition (id, workspace_id);

-- The execution that an instance runs for, handed on along a chain.
ALTER TABLE instance ADD COLUMN execution_id BLOB;

INSERT INTO workspace (id, name, plan, weight, is_paused, created_at, changed_at)
SELECT 'default', 'default', 'UNLIMITED', 1, 0, now, now
FROM (SELECT strftime('%s', 'now') * 1000000 AS now);
INSERT INTO workspace_queue (workspace_id) VALUES ('default');
