-- For each key, in the order asked: row id and version of that definition; nulls when there is none.
-- $1 workspace_id[]  $2 id[]  $3 version[] (0 asks for the latest)
SELECT found.row_id, found.version
FROM unnest($1::text[], $2::text[], $3::integer[]) WITH ORDINALITY
    AS asked (workspace_id, id, version, place)
LEFT JOIN LATERAL (
    SELECT row_id, version
    FROM definition
    WHERE workspace_id = asked.workspace_id
      AND id = asked.id
      AND version >= asked.version
      AND version <= coalesce(nullif(asked.version, 0), 2147483647)
    ORDER BY version DESC
    LIMIT 1
) AS found ON true
ORDER BY asked.place;
