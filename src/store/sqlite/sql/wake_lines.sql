-- Lets one workspace compete again that was found with nothing to let in.
-- ?1 workspace_id  ?2 the virtual time from which on it competes
UPDATE workspace_queue
SET runnable = 1,
    virtual_time = max(virtual_time, ?2)
WHERE workspace_id = ?1 AND runnable = 0;
