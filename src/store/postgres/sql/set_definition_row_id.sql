-- Only here. Has the row ids of new definitions go on behind those that another store gave out.
-- $1 the last of them, or 0
SELECT setval(pg_get_serial_sequence('definition', 'row_id'), greatest($1::bigint, 1), $1 > 0);
