-- Only here. Which store is promoted into this schema.
SELECT source
FROM store_promotion;
