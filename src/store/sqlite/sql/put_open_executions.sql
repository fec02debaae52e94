-- Adds or changes the row of one open execution.
-- ?1 workspace_id  ?2 id  ?3 place  ?4 queue_status  ?5 rank_at  ?6 due_at  ?7 deadline
-- ?8 concurrency_key  ?9 created_at
--
-- One whose concurrency key has others parked already is parked with them: when the key has room,
-- one of them is called.
INSERT INTO execution_open (
    workspace_id, id, place, queue_status, rank_at, due_at, deadline, concurrency_key, created_at)
VALUES (
    ?1, ?2,
    CASE WHEN ?3 = 'READY' AND EXISTS (
             SELECT 1
             FROM execution_open AS parked
             WHERE parked.place = 'PARKED'
               AND parked.workspace_id = ?1
               AND parked.concurrency_key = ?8
               AND parked.id <> ?2)
         THEN 'PARKED' ELSE ?3 END,
    ?4, ?5, ?6, ?7, ?8, ?9)
ON CONFLICT (id, workspace_id) DO UPDATE
SET place = excluded.place,
    queue_status = excluded.queue_status,
    rank_at = excluded.rank_at,
    due_at = excluded.due_at,
    deadline = excluded.deadline;
