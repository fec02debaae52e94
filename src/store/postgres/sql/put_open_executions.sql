-- Adds or changes the rows of open executions, in the order given: sorted by id.
-- $1 workspace_id[]  $2 id[]  $3 place[]  $4 queue_status[]  $5 rank_at[]  $6 due_at[]  $7 deadline[]
-- $8 concurrency_key[]  $9 created_at[]
--
-- One whose concurrency key has others parked already is parked with them: when the key has room, one of
-- them is called.
INSERT INTO execution_open (
    workspace_id, id, place, queue_status, rank_at, due_at, deadline, concurrency_key, created_at)
SELECT given.workspace_id, given.id,
       CASE WHEN given.place = 'READY' AND EXISTS (
                SELECT
                FROM execution_open AS parked
                WHERE parked.place = 'PARKED' AND parked.id <> given.id
                  AND parked.workspace_id = given.workspace_id
                  AND parked.concurrency_key = given.concurrency_key)
            THEN 'PARKED' ELSE given.place END,
       given.queue_status, given.rank_at, given.due_at, given.deadline, given.concurrency_key,
       given.created_at
FROM unnest(
    $1::text[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
    $7::timestamptz[], $8::text[], $9::timestamptz[])
    AS given (
        workspace_id, id, place, queue_status, rank_at, due_at, deadline, concurrency_key, created_at)
ON CONFLICT (id, workspace_id) DO UPDATE
SET place = excluded.place,
    queue_status = excluded.queue_status,
    rank_at = excluded.rank_at,
    due_at = excluded.due_at,
    deadline = excluded.deadline;
