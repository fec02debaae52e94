-- Adds versions of definitions.
-- $1 workspace_id[]  $2 id[]  $3 version[]  $4 name[]  $5 content[]  $6 canonical[]  $7 uploaded_at[]
INSERT INTO definition (workspace_id, id, version, name, content, canonical, uploaded_at)
SELECT *
FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::text[],
            $7::timestamptz[]);
