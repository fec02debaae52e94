-- Only here. A replica stops.
-- $1 id
DELETE FROM replica
WHERE id = $1::uuid;
