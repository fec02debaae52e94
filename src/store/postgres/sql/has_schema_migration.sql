-- Only here. Whether any program has ever migrated this schema.
SELECT to_regclass(quote_ident(current_schema()) || '.schema_migration') IS NOT NULL;
