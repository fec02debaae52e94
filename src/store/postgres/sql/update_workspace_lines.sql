-- Changes lines that the admission has locked.
-- $1 workspace_id[]  $2 runnable[] (1: yes)  $3 virtual_time[]  $4 rate_tokens[]  $5 rate_counted_at[]
UPDATE workspace_queue
SET runnable = given.runnable = 1,
    virtual_time = given.virtual_time,
    rate_tokens = given.rate_tokens,
    rate_counted_at = given.rate_counted_at
FROM unnest($1::text[], $2::integer[], $3::double precision[], $4::double precision[],
            $5::timestamptz[])
    AS given (workspace_id, runnable, virtual_time, rate_tokens, rate_counted_at)
WHERE workspace_queue.workspace_id = given.workspace_id;
