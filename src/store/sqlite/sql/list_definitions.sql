-- The highest version of each definition, by id, those whose id or name holds the keyword.
-- ?1 workspace_id  ?2 keyword (empty: all)  ?3 count_max  ?4 count_skipped
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
ORDER BY id
LIMIT ?3 OFFSET ?4;
