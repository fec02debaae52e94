-- The highest version of each definition, by id, those whose id or name holds the keyword.
-- ?1 workspace_id  ?2 keyword (empty: all)  ?3 the id before the first (empty: none)  ?4 count_max
-- ?5 count_skipped
--
-- lower() knows ASCII letters only, and instr() no wildcards.
SELECT id, version, name, uploaded_at
FROM definition AS latest
WHERE workspace_id = ?1
  AND version = (
      SELECT max(other.version)
      FROM definition AS other
      WHERE other.workspace_id = latest.workspace_id AND other.id = latest.id
  )
  AND (instr(lower(id), lower(?2)) > 0 OR instr(lower(name), lower(?2)) > 0)
  AND id > ?3
ORDER BY id
LIMIT ?4 OFFSET ?5;
