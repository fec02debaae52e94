-- How many rows list_audit_entries has without paging, up to a number.
-- ?1 workspace_id  ?2 kinds, each between commas  ?3 key_id  ?4 instance_id  ?5 since  ?6 until
-- ?7 first id  ?8 last id  ?9 count_max
-- A filter that is null lets everything pass.
SELECT count(*)
FROM (
    SELECT 1
    FROM audit_entry
    WHERE workspace_id = ?1
      AND (?2 IS NULL OR instr(?2, ',' || kind || ',') > 0)
      AND (?3 IS NULL OR key_id = ?3)
      AND (?4 IS NULL OR instance_id = ?4
           OR (id = ?4 AND kind = 'INSTANCE_STARTED'))
      AND (?5 IS NULL OR at >= ?5)
      AND (?6 IS NULL OR at < ?6)
      AND id >= ?7 AND id <= ?8
    LIMIT ?9
);
