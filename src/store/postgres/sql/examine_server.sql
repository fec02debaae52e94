-- Only here. Who answers, for millrace doctor.
SELECT current_setting('server_version'),
       current_setting('server_version_num')::integer,
       pg_is_in_recovery(),
       pg_backend_pid(),
       clock_timestamp(),
       coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false),
       current_database()::text,
       coalesce(current_schema()::text, ''),
       current_user::text,
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend');
