-- Adds one timer.
-- ?1 workspace_id  ?2 id  ?3 fire_at
INSERT INTO timer (workspace_id, id, fire_at)
VALUES (?1, ?2, ?3);
