-- Only here. Which of these instances exist when all locks of the transaction are held. One that was not found
-- to be locked proves nothing before: it may have come while the locks after it were waited for.
-- $1 workspace_id[]  $2 id[]
SELECT instance.workspace_id, instance.id
FROM unnest($1::text[], $2::uuid[]) AS asked (workspace_id, id)
JOIN instance ON instance.workspace_id = asked.workspace_id AND instance.id = asked.id;
