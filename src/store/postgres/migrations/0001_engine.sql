-- Definitions, instances and their open work, closed history, and the marks of committed batches.
-- No foreign keys on hot tables: the engine locks the instance first, and a key check would lock a
-- second row for each insert. Names sort by bytes (COLLATE "C"), on every machine alike.

CREATE TABLE definition (
    row_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    name text NOT NULL,
    content text NOT NULL,
    canonical text COLLATE "C" NOT NULL,
    uploaded_at timestamptz NOT NULL,
    UNIQUE (workspace_id, id, version)
);

-- Every step updates the row in place: room on its page and no index on a column that changes keep
-- the update out of the indexes.
CREATE TABLE instance (
    workspace_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    definition_row_id bigint NOT NULL,
    definition_id text COLLATE "C" NOT NULL,
    definition_version integer NOT NULL,
    status text COLLATE "C" NOT NULL,
    business_key text COLLATE "C",
    variables text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    started_at timestamptz NOT NULL,
    completed_at timestamptz,
    failure_reason text COLLATE "C",
    parent_id uuid,
    PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 60);

-- The definition first: an index that begins like the primary key is taken for it by plans that were
-- made while the table was empty.
CREATE INDEX instance_of_definition ON instance (definition_id, workspace_id, id);
CREATE INDEX instance_business_key ON instance (workspace_id, business_key, id)
    WHERE business_key IS NOT NULL;

-- Only open jobs have rows, so the table is small and turns over fast: dead rows must leave as fast,
-- or the scans of the partial indexes step over them.
CREATE TABLE job (
    workspace_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    instance_id uuid NOT NULL,
    job_type text COLLATE "C" NOT NULL,
    step_id text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    retries_remaining integer NOT NULL,
    seq bigint NOT NULL,
    lease_token bigint NOT NULL,
    worker_id text COLLATE "C",
    locked_at timestamptz,
    lock_expires_at timestamptz,
    created_at timestamptz NOT NULL,
    variables text COLLATE "C",
    PRIMARY KEY (workspace_id, id)
) WITH (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0.05
);

CREATE INDEX job_waiting ON job (workspace_id, job_type, seq) WHERE status = 'UNLOCKED';
CREATE INDEX job_leased ON job (lock_expires_at) WHERE status = 'LOCKED';

-- Numbers are drawn by the thousand; a cache would hand them out of order to two sessions.
CREATE SEQUENCE job_seq;

CREATE TABLE timer (
    workspace_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    fire_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITH (
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);

CREATE INDEX timer_fire_at ON timer (fire_at);

CREATE TABLE user_task (
    workspace_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    step_id text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);

-- Written once, when the step is over. The id leads to the instance: its history is a range.
CREATE TABLE step_execution (
    workspace_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    step_id text COLLATE "C" NOT NULL,
    step_type text COLLATE "C" NOT NULL,
    attempt_number integer NOT NULL,
    status text COLLATE "C" NOT NULL,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    failure_reason text COLLATE "C",
    job_status text COLLATE "C",
    tries text COLLATE "C",
    completed_by text COLLATE "C",
    PRIMARY KEY (workspace_id, id)
);

-- One row for each batch that has committed; a committer deletes its old ones by range.
CREATE TABLE commit_mark (
    committer_id uuid NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (committer_id, number)
) WITH (
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);
