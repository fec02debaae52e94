-- Only here. The promotion has ended: servers may start.
DROP TABLE store_promotion;
