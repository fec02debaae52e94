-- Only here. Ends the backend of a batch in doubt if it still idles in that very transaction: its
-- client is gone, but a cut network may hide that from it for hours. One that works or waits (for a
-- standby, say) is left alone: ending it would show a commit that no standby has.
-- $1 pid  $2 xact_start
SELECT pg_terminate_backend(pid, 1000)
FROM pg_stat_activity
WHERE pid = $1::integer
  AND xact_start = $2::timestamptz
  AND state IN ('idle in transaction', 'idle in transaction (aborted)');
