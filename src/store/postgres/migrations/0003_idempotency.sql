-- What was done under the keys that callers name their requests with. A row is never changed; old
-- ones are forgotten in the order in which they came.

CREATE TABLE idempotency_key (
    workspace_id text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    request_hash bytea NOT NULL,
    instance_id uuid,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, operation, key)
);

CREATE INDEX idempotency_key_created_at ON idempotency_key (created_at);
