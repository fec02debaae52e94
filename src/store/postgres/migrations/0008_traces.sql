-- The W3C trace contexts that instances were started in and that the workers of jobs go on with; null
-- outside of traces. Not in the state of an instance: a server of the version before would not take
-- it for one of its own.

ALTER TABLE instance
    ADD COLUMN trace_parent text COLLATE "C",
    ADD COLUMN traced bigint; -- 1: spans tell of it.
ALTER TABLE job ADD COLUMN trace_parent text COLLATE "C";
