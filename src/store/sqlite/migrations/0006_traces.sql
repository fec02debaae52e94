-- The W3C trace contexts that instances were started in and that the workers of jobs go on with; null
-- outside of traces.

ALTER TABLE instance ADD COLUMN trace_parent TEXT;
ALTER TABLE instance ADD COLUMN traced INTEGER; -- 1: spans tell of it.
ALTER TABLE job ADD COLUMN trace_parent TEXT;
