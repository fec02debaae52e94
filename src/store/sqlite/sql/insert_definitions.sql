-- Adds one version of a definition.
-- ?1 workspace_id  ?2 id  ?3 version  ?4 name  ?5 content  ?6 canonical  ?7 uploaded_at
INSERT INTO definition (workspace_id, id, version, name, content, canonical, uploaded_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);
