-- Only here. Drops a partition that nothing needs, and tells whether it did; see the function in
-- migration 0007.
-- $1 table  $2 partition  $3 first id  $4 the first id behind it
SELECT drop_unused_partition($1::text, $2::text, $3::uuid, $4::uuid);
