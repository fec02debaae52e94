-- ?1 id
DELETE FROM job
WHERE workspace_id = 'default' AND id = ?1;
