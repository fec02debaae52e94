-- ?1 id  ?2 state  ?3 now
UPDATE instance
SET status = 'COMPLETED',
    state = ?2,
    completed_at = ?3
WHERE workspace_id = 'default' AND id = ?1;
