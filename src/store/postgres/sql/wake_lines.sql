-- Lets workspaces compete again that were found with nothing to let in, behind nobody and before nobody
-- who competes already. Those that another admission has locked are left out.
-- $1 workspace_id[]  $2 the lowest virtual time that is worth a look
UPDATE workspace_queue
SET runnable = true,
    virtual_time = greatest(virtual_time, $2::double precision, (
        SELECT min(runnable.virtual_time)
        FROM workspace_queue AS runnable
        WHERE runnable.runnable))
WHERE workspace_id IN (
    SELECT asleep.workspace_id
    FROM workspace_queue AS asleep
    WHERE asleep.workspace_id = ANY ($1::text[]) AND NOT asleep.runnable
    ORDER BY asleep.workspace_id
    FOR NO KEY UPDATE SKIP LOCKED);
