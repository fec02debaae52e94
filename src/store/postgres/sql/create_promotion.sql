-- Only here. Says that what is in this schema is a part of another store, while it is promoted. No
-- migration makes it: a schema that was never promoted into, or for good, has no such table.
CREATE TABLE store_promotion (
    source text COLLATE "C" NOT NULL
);
