-- Only here. Ends the backend of a batch in doubt if it still waits in that very transaction for its
-- client to go on: the client is gone, but a cut network may hide that from it for hours. One that
-- works or waits for something else (a standby, say) is left alone: ending it would show a commit
-- that no standby has.
-- $1 pid  $2 xact_start
--
-- In the middle of a pipeline a waiting backend calls itself active; what it waits for tells.
SELECT pg_terminate_backend(pid, 1000)
FROM pg_stat_activity
WHERE pid = $1::integer
  AND xact_start = $2::timestamptz
  AND wait_event_type = 'Client'
  AND wait_event = 'ClientRead';
