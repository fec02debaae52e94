-- Multiplies executions that wait where they cannot run: each that is in the place `place` gets
-- `copies` more beside it, with ids of their own.
CREATE TEMPORARY TABLE copy AS
SELECT execution.id AS model_id, execution.workspace_id, gen_random_uuid() AS id
FROM execution_open AS execution, generate_series(1, :copies)
WHERE execution.place = :'place';

-- As whole rows, so that a new column is copied without a word here.
INSERT INTO execution
SELECT fresh.*
FROM copy
JOIN execution AS model ON model.id = copy.model_id AND model.workspace_id = copy.workspace_id
CROSS JOIN LATERAL jsonb_populate_record(model, jsonb_build_object('id', copy.id)) AS fresh;

INSERT INTO execution_open
SELECT fresh.*
FROM copy
JOIN execution_open AS model ON model.id = copy.model_id AND model.workspace_id = copy.workspace_id
CROSS JOIN LATERAL jsonb_populate_record(model, jsonb_build_object('id', copy.id)) AS fresh;
