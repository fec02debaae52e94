-- What was done under the keys that callers name their requests with. A row is never changed; old
-- ones are forgotten in the order in which they came.

CREATE TABLE idempotency_key (
    workspace_id TEXT NOT NULL,
    operation TEXT NOT NULL,
    key TEXT NOT NULL,
    request_hash BLOB NOT NULL,
    instance_id BLOB,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, operation, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_key_created_at ON idempotency_key (created_at);
