-- Rows of every table as a program that knew the first migration alone left them: an order that is over,
-- one whose job a worker has, and one whose job waits.

INSERT INTO definition (row_id, workspace_id, id, version, name, content, canonical, uploaded_at)
VALUES
    (1, 'acme', 'order', 1, 'Order',
     '{"id":"order","version":1,"name":"Order","steps":[{"id":"price","name":"Price","type":"TRANSFORMATION","transformations":{"total":"${quantity * 20}"},"nextStep":"fork"},{"id":"fork","name":"Fork","type":"PARALLEL_GATEWAY","parallelNextSteps":["charge","approve"],"joinStep":"join"},{"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"charge","retryCount":1,"nextStep":"join","boundaryEvents":[{"type":"TIMER","duration":"PT1H","interrupting":false,"targetStepId":"remind"}]},{"id":"remind","name":"Remind","type":"SERVICE_TASK","jobType":"remind"},{"id":"approve","name":"Approve","type":"USER_TASK","nextStep":"join"},{"id":"join","name":"Join","type":"JOIN_GATEWAY","nextStep":"done"},{"id":"done","name":"Done","type":"END"}]}',
     '{"id":"order","name":"Order","steps":[{"id":"price","name":"Price","nextStep":"fork","transformations":{"total":"${quantity * 20}"},"type":"TRANSFORMATION"},{"id":"fork","joinStep":"join","name":"Fork","parallelNextSteps":["charge","approve"],"type":"PARALLEL_GATEWAY"},{"boundaryEvents":[{"duration":"PT1H","interrupting":false,"targetStepId":"remind","type":"TIMER"}],"id":"charge","jobType":"charge","name":"Charge","nextStep":"join","retryCount":1,"type":"SERVICE_TASK"},{"id":"remind","jobType":"remind","name":"Remind","type":"SERVICE_TASK"},{"id":"approve","name":"Approve","nextStep":"join","type":"USER_TASK"},{"id":"join","name":"Join","nextStep":"done","type":"JOIN_GATEWAY"},{"id":"done","name":"Done","type":"END"}]}',
     1794756684991156);

INSERT INTO instance (workspace_id, id, definition_row_id, definition_id, definition_version, status,
    business_key, variables, state, started_at, completed_at, failure_reason, parent_id)
VALUES
    ('acme', x'01a1dfd5acc7660a3e611be600000000', 1, 'order', 1, 'COMPLETED', 'over',
     '{"quantity":3,"total":60,"paid":true}',
     '{"sequence":9,"visits":[{"stepId":"price","count":1},{"stepId":"fork","count":1},{"stepId":"charge","count":1},{"stepId":"approve","count":1},{"stepId":"join","count":1},{"stepId":"done","count":1}]}',
     1794756684999299, 1794756685012847, NULL, NULL),
    ('acme', x'01a1dfd5acd85a12f8e6af8e00000000', 1, 'order', 1, 'WAITING', 'leased',
     '{"quantity":3,"total":60}',
     '{"sequence":7,"openSteps":[{"sequence":3,"stepId":"charge","type":"SERVICE_TASK","startedAt":1794756685016893,"activations":[2],"timers":[{"sequence":5,"fireAt":1794760285016893}]},{"sequence":6,"stepId":"approve","type":"USER_TASK","startedAt":1794756685016893,"activations":[2]}],"activations":[{"sequence":2,"joinStepId":"join"}],"visits":[{"stepId":"price","count":1},{"stepId":"fork","count":1},{"stepId":"charge","count":1},{"stepId":"approve","count":1}]}',
     1794756685016893, NULL, NULL, NULL),
    ('acme', x'01a1dfd5acdd12e0c4f3288a00000000', 1, 'order', 1, 'WAITING', 'open',
     '{"quantity":3,"total":60}',
     '{"sequence":7,"openSteps":[{"sequence":3,"stepId":"charge","type":"SERVICE_TASK","startedAt":1794756685022027,"activations":[2],"timers":[{"sequence":5,"fireAt":1794760285022027}]},{"sequence":6,"stepId":"approve","type":"USER_TASK","startedAt":1794756685022027,"activations":[2]}],"activations":[{"sequence":2,"joinStepId":"join"}],"visits":[{"stepId":"price","count":1},{"stepId":"fork","count":1},{"stepId":"charge","count":1},{"stepId":"approve","count":1}]}',
     1794756685022027, NULL, NULL, NULL);

INSERT INTO job (workspace_id, id, instance_id, job_type, step_id, status, retries_remaining, seq,
    lease_token, worker_id, locked_at, lock_expires_at, created_at, variables)
VALUES
    ('acme', x'01a1dfd5acd85a12f8e6af8e00000004', x'01a1dfd5acd85a12f8e6af8e00000000', 'charge', 'charge',
     'LOCKED', 1, 3, 1, 'wanda', 1794756685019800, 1794756745019800, 1794756685016893, NULL),
    ('acme', x'01a1dfd5acdd12e0c4f3288a00000004', x'01a1dfd5acdd12e0c4f3288a00000000', 'charge', 'charge',
     'UNLOCKED', 1, 4, 0, NULL, NULL, NULL, 1794756685022027, NULL);

INSERT INTO timer (workspace_id, id, fire_at)
VALUES
    ('acme', x'01a1dfd5acd85a12f8e6af8e00000005', 1794760285016893),
    ('acme', x'01a1dfd5acdd12e0c4f3288a00000005', 1794760285022027);

INSERT INTO user_task (workspace_id, id, step_id, created_at)
VALUES
    ('acme', x'01a1dfd5acd85a12f8e6af8e00000007', 'approve', 1794756685016893),
    ('acme', x'01a1dfd5acdd12e0c4f3288a00000007', 'approve', 1794756685022027);

INSERT INTO step_execution (workspace_id, id, step_id, step_type, attempt_number, status, started_at,
    ended_at, failure_reason, job_status, tries, completed_by)
VALUES
    ('acme', x'01a1dfd5acc7660a3e611be600000001', 'price', 'TRANSFORMATION', 1, 'COMPLETED', 1794756684999299,
     1794756684999299, NULL, NULL, NULL, NULL),
    ('acme', x'01a1dfd5acc7660a3e611be600000002', 'fork', 'PARALLEL_GATEWAY', 1, 'COMPLETED',
     1794756684999299, 1794756684999299, NULL, NULL, NULL, NULL),
    ('acme', x'01a1dfd5acc7660a3e611be600000003', 'charge', 'SERVICE_TASK', 1, 'COMPLETED', 1794756684999299,
     1794756685012151, NULL, 'COMPLETED',
     '[{"workerId":"wanda","leaseToken":1,"startedAt":1794756685008556,"endedAt":1794756685010597,"outcome":"FAILED","message":"no answer"},{"workerId":"wanda","leaseToken":2,"startedAt":1794756685011579,"endedAt":1794756685012151,"outcome":"COMPLETED"}]',
     NULL),
    ('acme', x'01a1dfd5acc7660a3e611be600000006', 'approve', 'USER_TASK', 1, 'COMPLETED', 1794756684999299,
     1794756685012847, NULL, NULL, NULL, NULL),
    ('acme', x'01a1dfd5acc7660a3e611be600000008', 'join', 'JOIN_GATEWAY', 1, 'COMPLETED', 1794756685012151,
     1794756685012847, NULL, NULL, NULL, NULL),
    ('acme', x'01a1dfd5acc7660a3e611be600000009', 'done', 'END', 1, 'COMPLETED', 1794756685012847,
     1794756685012847, NULL, NULL, NULL, NULL),
    ('acme', x'01a1dfd5acd85a12f8e6af8e00000001', 'price', 'TRANSFORMATION', 1, 'COMPLETED', 1794756685016893,
     1794756685016893, NULL, NULL, NULL, NULL),
    ('acme', x'01a1dfd5acd85a12f8e6af8e00000002', 'fork', 'PARALLEL_GATEWAY', 1, 'COMPLETED',
     1794756685016893, 1794756685016893, NULL, NULL, NULL, NULL),
    ('acme', x'01a1dfd5acdd12e0c4f3288a00000001', 'price', 'TRANSFORMATION', 1, 'COMPLETED', 1794756685022027,
     1794756685022027, NULL, NULL, NULL, NULL),
    ('acme', x'01a1dfd5acdd12e0c4f3288a00000002', 'fork', 'PARALLEL_GATEWAY', 1, 'COMPLETED',
     1794756685022027, 1794756685022027, NULL, NULL, NULL, NULL);

INSERT INTO commit_mark (committer_id, number)
VALUES
    (x'63f157bb4ede8df50e9c18d355c89693', 7);

UPDATE job_seq SET last = 4;
