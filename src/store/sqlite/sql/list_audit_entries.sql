-- Audit entries, newest first.
-- ?1 workspace_id  ?2 kinds, each between commas  ?3 key_id  ?4 instance_id  ?5 since  ?6 until
-- ?7 first id  ?8 last id  ?9 count_max  ?10 count_skipped
-- A filter that is null lets everything pass.
SELECT workspace_id, id, at, kind, key_id, key_name, remote_address, request_id, instance_id,
       subject, details
FROM audit_entry
WHERE workspace_id = ?1
  AND (?2 IS NULL OR instr(?2, ',' || kind || ',') > 0)
  AND (?3 IS NULL OR key_id = ?3)
  AND (?4 IS NULL OR instance_id = ?4
       OR (id = ?4 AND kind = 'INSTANCE_STARTED'))
  AND (?5 IS NULL OR at >= ?5)
  AND (?6 IS NULL OR at < ?6)
  AND id >= ?7 AND id <= ?8
ORDER BY id DESC
LIMIT ?9 OFFSET ?10;
