-- Credentials. Of a secret only its SHA-256 is kept, as 64 digits of base 16.

CREATE TABLE api_key (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    workspace_id TEXT, -- Null: good for the whole cluster.
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX api_key_workspace ON api_key (workspace_id, id);
