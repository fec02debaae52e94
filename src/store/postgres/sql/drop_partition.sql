-- Only here. Drops a partition with all that is in it; see the function in migration 0007.
-- $1 table  $2 partition
SELECT drop_partition($1::text, $2::text);
