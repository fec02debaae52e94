-- Adds API keys, in the order given: sorted by id.
-- $1 id[]  $2 name[]  $3 role[]  $4 workspace_id[] (null: the whole cluster)  $5 secret_hash[]
-- $6 created_at[]  $7 expires_at[]  $8 revoked_at[]
INSERT INTO api_key (id, name, role, workspace_id, secret_hash, created_at, expires_at, revoked_at)
SELECT *
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[],
            $7::timestamptz[], $8::timestamptz[]);
