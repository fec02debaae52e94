-- The execution queue: workspaces, executions, and the hot rows of those that are open. A slot of a
-- workspace is the row of an active execution: there is no counter that could leak.

CREATE TABLE workspace (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    plan text COLLATE "C" NOT NULL,
    max_active integer,
    max_per_key integer,
    rate_per_second double precision,
    max_attempts integer,
    weight integer NOT NULL,
    is_paused integer NOT NULL,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL
);

-- How workspaces compete. A row is locked by the admission that lets something in there; nobody else
-- needs the lock, so completions and enqueues never wait for it.
CREATE TABLE workspace_queue (
    workspace_id text COLLATE "C" PRIMARY KEY,
    runnable boolean NOT NULL DEFAULT false,
    virtual_time double precision NOT NULL DEFAULT 0,
    rate_tokens double precision NOT NULL DEFAULT 0,
    rate_counted_at timestamptz
) WITH (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);

CREATE INDEX workspace_queue_runnable ON workspace_queue (virtual_time, workspace_id) WHERE runnable;

-- The record, from the enqueue until retention. The id first: it is looked up without its workspace.
CREATE TABLE execution (
    id uuid NOT NULL,
    workspace_id text COLLATE "C" NOT NULL,
    definition_row_id bigint NOT NULL,
    definition_id text COLLATE "C" NOT NULL,
    definition_version integer NOT NULL,
    queue_status text COLLATE "C" NOT NULL,
    place text COLLATE "C" NOT NULL,
    rank_at timestamptz NOT NULL,
    due_at timestamptz,
    priority integer NOT NULL,
    not_before timestamptz,
    deadline timestamptz,
    concurrency_key text COLLATE "C",
    requested_by text COLLATE "C",
    created_at timestamptz NOT NULL,
    claimed_at timestamptz,
    dispatched_at timestamptz,
    started_at timestamptz,
    completed_at timestamptz,
    attempt_count integer NOT NULL,
    deferrals integer NOT NULL,
    recoveries integer NOT NULL,
    next_attempt_at timestamptz,
    last_error text COLLATE "C",
    error_reason text COLLATE "C",
    error_message text COLLATE "C",
    error_group text COLLATE "C", -- The message without what differs between alike ones.
    claim_token bigint NOT NULL,
    claim_owner text COLLATE "C",
    executor text COLLATE "C" NOT NULL,
    target text COLLATE "C",
    run_id text COLLATE "C",
    first_try_at timestamptz,
    cancel_requested_at timestamptz,
    is_forced integer NOT NULL,
    is_resuming integer NOT NULL,
    instance_id uuid,
    retry_of uuid,
    retried_by uuid,
    dismissed_at timestamptz,
    trace_parent text COLLATE "C",
    input text COLLATE "C" NOT NULL,
    result text COLLATE "C",
    PRIMARY KEY (id, workspace_id)
) WITH (fillfactor = 70);

CREATE INDEX execution_of_definition ON execution (definition_id, workspace_id, id);
CREATE INDEX execution_of_status ON execution (workspace_id, queue_status, id);
CREATE INDEX execution_dead ON execution (workspace_id, definition_id, error_reason, error_group)
    WHERE queue_status = 'FAILED' AND dismissed_at IS NULL AND retried_by IS NULL;

-- Only open executions have rows: what admissions, leases and counts look at.
CREATE TABLE execution_open (
    id uuid NOT NULL,
    workspace_id text COLLATE "C" NOT NULL,
    place text COLLATE "C" NOT NULL,
    queue_status text COLLATE "C" NOT NULL,
    rank_at timestamptz NOT NULL,
    due_at timestamptz,
    deadline timestamptz,
    concurrency_key text COLLATE "C",
    created_at timestamptz NOT NULL,
    PRIMARY KEY (id, workspace_id)
) WITH (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0.05
);

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
ALTER TABLE instance ADD COLUMN execution_id uuid;

INSERT INTO workspace (id, name, plan, weight, is_paused, created_at, changed_at)
VALUES ('default', 'default', 'UNLIMITED', 1, 0, now(), now());
INSERT INTO workspace_queue (workspace_id) VALUES ('default');
