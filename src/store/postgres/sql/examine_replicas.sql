-- Only here. Servers that say that they live, for millrace doctor: name, version, seconds since.
SELECT name, version, extract(epoch FROM clock_timestamp() - seen_at)::bigint
FROM replica
ORDER BY seen_at DESC
LIMIT 100;
