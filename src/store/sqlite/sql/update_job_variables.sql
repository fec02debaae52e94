-- Gives one job that the batch has not loaded its own copy of the variables at its creation.
-- ?1 workspace_id  ?2 id  ?3 variables
UPDATE job
SET variables = ?3
WHERE workspace_id = ?1 AND id = ?2;
