-- Credentials. Of a secret only its SHA-256 is kept, as 64 digits of base 16.

CREATE TABLE api_key (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    workspace_id text COLLATE "C", -- Null: good for the whole cluster.
    secret_hash text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz
);

CREATE INDEX api_key_workspace ON api_key (workspace_id, id);
