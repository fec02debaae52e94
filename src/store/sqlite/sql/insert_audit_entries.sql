-- Appends one audit entry.
-- ?1 workspace_id  ?2 id  ?3 at  ?4 kind  ?5 key_id  ?6 key_name  ?7 remote_address  ?8 request_id
-- ?9 instance_id  ?10 subject  ?11 details
INSERT INTO audit_entry (workspace_id, id, at, kind, key_id, key_name, remote_address, request_id,
                         instance_id, subject, details)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11);
