-- Multiplies what one finished instance has left behind: the variable `instances` says how often.
-- The copies have ids of their own, as the server mints them, from the second before their model.
CREATE TEMPORARY TABLE model AS
SELECT workspace_id, id, left(replace(id::text, '-', ''), 12) AS milliseconds
FROM instance
WHERE status = 'COMPLETED'
LIMIT 1;

-- Of every copy, the first 96 bits of its ids in base 16: milliseconds, and what is random elsewhere.
CREATE TEMPORARY TABLE copy AS
SELECT lpad(to_hex(('x' || milliseconds)::bit(48)::bigint - 1000 + n * 1000 / :instances), 12, '0')
           || lpad(to_hex(n), 12, '0') AS digits
FROM model, generate_series(0, :instances - 1) AS n;

INSERT INTO instance (workspace_id, id, definition_row_id, definition_id, definition_version, status,
                      variables, state, started_at, completed_at)
SELECT instance.workspace_id, (copy.digits || '00000000')::uuid, definition_row_id, definition_id,
       definition_version, status, variables, state, started_at, completed_at
FROM copy, model
JOIN instance USING (workspace_id, id);

INSERT INTO step_execution (workspace_id, id, step_id, step_type, attempt_number, status, started_at,
                            ended_at, job_status, tries, completed_by)
SELECT step_execution.workspace_id,
       (copy.digits || right(step_execution.id::text, 8))::uuid, step_id, step_type, attempt_number,
       status, started_at, ended_at, job_status, tries, completed_by
FROM copy, model
JOIN step_execution
    ON step_execution.workspace_id = model.workspace_id
    AND left(step_execution.id::text, 28) = left(model.id::text, 28);

INSERT INTO audit_entry (workspace_id, id, at, kind, remote_address, request_id, subject, details)
SELECT audit_entry.workspace_id, (copy.digits || '00000000')::uuid, at, kind, remote_address,
       request_id, subject, details
FROM copy, model
JOIN audit_entry USING (workspace_id, id);

-- Their jobs had places in line once.
SELECT setval('job_seq', (SELECT count(*) FROM step_execution));

VACUUM ANALYZE;
