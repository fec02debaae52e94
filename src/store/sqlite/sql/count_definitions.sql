-- How many rows list_definitions has without paging, up to a number.
-- ?1 workspace_id  ?2 keyword (empty: all)  ?3 count_max
SELECT count(*)
FROM (
    SELECT 1
    FROM definition AS latest
    WHERE workspace_id = ?1
      AND version = (
          SELECT max(other.version)
          FROM definition AS other
          WHERE other.workspace_id = latest.workspace_id AND other.id = latest.id
      )
      AND (instr(lower(id), lower(?2)) > 0 OR instr(lower(name), lower(?2)) > 0)
    LIMIT ?3
);
