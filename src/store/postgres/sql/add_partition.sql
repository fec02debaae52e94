-- Only here. Makes a partition for a range of ids; see the function in migration 0007.
-- $1 table  $2 first id  $3 the first id behind it
SELECT add_partition($1::text, $2::uuid, $3::uuid);
