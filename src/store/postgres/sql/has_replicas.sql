-- Only here. Whether this schema knows its servers, for millrace doctor.
SELECT to_regclass(quote_ident(current_schema()) || '.replica') IS NOT NULL;
