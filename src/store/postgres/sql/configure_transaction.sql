-- Only here. Settings for the rest of the transaction, and what names it.
-- $1 statement_timeout  $2 lock_timeout  $3 plan_cache_mode
-- $4 idle_in_transaction_session_timeout
--
-- Settings are local, so that they work through a transaction pooler. Plans are made once: an array
-- is planned as ten rows, whatever it holds, and a plan made while the tables were small must not
-- scan them whole when they have grown. A server that is frozen in the middle of a batch loses its
-- transaction, so that others get its locks. Process id and transaction start name this transaction in
-- pg_stat_activity; the random id is for marks.
SELECT set_config('statement_timeout', $1::text, true),
       set_config('lock_timeout', $2::text, true),
       set_config('plan_cache_mode', $3::text, true),
       set_config('idle_in_transaction_session_timeout', $4::text, true),
       set_config('enable_seqscan', 'off', true),
       set_config('jit', 'off', true),
       pg_backend_pid(),
       now(),
       gen_random_uuid(),
       -- A client that has vanished in the middle of what it sent is not idle to the server, and no
       -- timeout ends its locks: the network has to tell.
       set_config('tcp_keepalives_idle', '10', true),
       set_config('tcp_keepalives_interval', '5', true),
       set_config('tcp_user_timeout', '15000', true);
