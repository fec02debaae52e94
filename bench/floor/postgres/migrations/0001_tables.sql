-- What a step cannot do without: the engine's own columns for it, its primary keys, its claim index.
CREATE TABLE instance (
    workspace_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    definition_row_id bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    variables text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    started_at timestamptz NOT NULL,
    completed_at timestamptz,
    PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 60);

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
    lock_expires_at timestamptz,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITH (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0.05
);

CREATE INDEX job_waiting ON job (workspace_id, job_type, seq) WHERE status = 'UNLOCKED';
CREATE SEQUENCE job_seq;

CREATE TABLE step_execution (
    workspace_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    step_id text COLLATE "C" NOT NULL,
    step_type text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    started_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    tries text COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
