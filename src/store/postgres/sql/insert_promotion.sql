-- Only here. Notes which store is promoted into this schema.
-- $1 source
INSERT INTO store_promotion (source)
VALUES ($1);
