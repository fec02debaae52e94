-- The W3C trace context that a job's worker goes on with; null outside of traces.

ALTER TABLE job ADD COLUMN trace_parent TEXT;
