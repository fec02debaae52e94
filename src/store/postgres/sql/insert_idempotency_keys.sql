-- Notes what was done under these keys.
-- $1 workspace_id[]  $2 operation[]  $3 key[]  $4 request_hash[]  $5 instance_id[]  $6 created_at[]
INSERT INTO idempotency_key (workspace_id, operation, key, request_hash, instance_id, created_at)
SELECT *
FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::uuid[], $6::timestamptz[]);
