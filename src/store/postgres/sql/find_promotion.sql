-- Only here. Whether a promotion into this schema has begun and not ended: the table is there that it
-- makes first and drops last. Another schema on the search path may hold something of that name.
SELECT to_regclass(quote_ident(current_schema()) || '.store_promotion') IS NOT NULL;
