-- Only here. Work that is overdue, for millrace doctor: how much, up to a thousand, and since when.
-- $1 now
SELECT (SELECT count(*) FROM (SELECT 1 FROM timer WHERE fire_at < $1::timestamptz
                              LIMIT 1000) AS due),
       (SELECT min(fire_at) FROM timer),
       (SELECT count(*) FROM (SELECT 1 FROM job WHERE status = 'LOCKED'
                                  AND lock_expires_at < $1::timestamptz LIMIT 1000) AS expired),
       (SELECT min(lock_expires_at) FROM job WHERE status = 'LOCKED');
