-- Changes the line of one workspace.
-- ?1 workspace_id  ?2 runnable (1: yes)  ?3 virtual_time  ?4 rate_tokens  ?5 rate_counted_at
UPDATE workspace_queue
SET runnable = ?2,
    virtual_time = ?3,
    rate_tokens = ?4,
    rate_counted_at = ?5
WHERE workspace_id = ?1;
