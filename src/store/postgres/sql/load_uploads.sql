-- For each upload, in the order asked: the latest version of that id (0 when there is none), and the
-- newest version with the same content.
-- $1 workspace_id[]  $2 id[]  $3 canonical[]
SELECT coalesce(latest.version, 0), coalesce(same.version, 0), same.uploaded_at
FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY
    AS asked (workspace_id, id, canonical, place)
LEFT JOIN LATERAL (
    SELECT version
    FROM definition
    WHERE workspace_id = asked.workspace_id AND id = asked.id
    ORDER BY version DESC
    LIMIT 1
) AS latest ON true
LEFT JOIN LATERAL (
    SELECT version, uploaded_at
    FROM definition
    WHERE workspace_id = asked.workspace_id AND id = asked.id AND canonical = asked.canonical
    ORDER BY version DESC
    LIMIT 1
) AS same ON true
ORDER BY asked.place;
