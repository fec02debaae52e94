-- Only here. Tells all who listen on the channel of this schema (hint_channel).
-- $1 message
--
-- NOTIFY makes a transaction that writes; a hint lost in a crash is no loss, so its commit waits for
-- no disk.
SELECT set_config('synchronous_commit', 'off', true),
       pg_notify('millrace_' || to_hex(hashtextextended(current_schema()::text, 0)), $1::text);
