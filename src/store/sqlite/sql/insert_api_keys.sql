-- Adds one API key.
-- ?1 id  ?2 name  ?3 role  ?4 workspace_id (null: the whole cluster)  ?5 secret_hash  ?6 created_at
-- ?7 expires_at  ?8 revoked_at
INSERT INTO api_key (id, name, role, workspace_id, secret_hash, created_at, expires_at, revoked_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);
