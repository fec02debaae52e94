-- Only here. Settings for the transaction of a migration.
-- $1 lock_timeout
--
-- A migration may take its time, but not wait long for a lock: whoever wants that table then waits
-- behind it, and one long report would stop all servers.
SELECT set_config('lock_timeout', $1::text, true),
       set_config('statement_timeout', '0', true);
