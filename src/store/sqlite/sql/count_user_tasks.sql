-- How many rows list_user_tasks has without paging, up to a number.
-- ?1 workspace_id  ?2 status  ?3 definition_id  ?4 step_id  ?5 assignee (empty: nobody)
-- ?6 a candidate group between line ends  ?7 first id  ?8 last id  ?9 count_max
-- A filter that is null lets everything pass.
SELECT count(*)
FROM (
    SELECT 1
    FROM user_task
    WHERE workspace_id = ?1
      AND (?2 IS NULL OR status = ?2)
      AND (?3 IS NULL OR definition_id = ?3)
      AND (?4 IS NULL OR step_id = ?4)
      AND (?5 IS NULL OR coalesce(assignee, '') = ?5)
      AND (?6 IS NULL OR instr(candidate_groups, ?6) > 0)
      AND id >= ?7 AND id <= ?8
    LIMIT ?9
);
