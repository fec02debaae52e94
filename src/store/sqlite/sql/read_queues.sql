-- How the line of one workspace stands, each number counted to a bound. The oldest one that waits is
-- taken for the first in line: only priorities make it another.
-- ?1 workspace_id  ?2 count_max
SELECT line.runnable, line.virtual_time, line.rate_tokens, line.rate_counted_at,
       workspace.id, workspace.name, workspace.plan, workspace.max_active, workspace.max_per_key,
       workspace.rate_per_second, workspace.max_attempts, workspace.weight, workspace.is_paused,
       workspace.created_at, workspace.changed_at,
       (
           SELECT count(*)
           FROM (
               SELECT 1
               FROM execution_open AS open
               WHERE open.place = 'READY' AND open.workspace_id = workspace.id
               LIMIT ?2
           )
       ), (
           SELECT count(*)
           FROM (
               SELECT 1
               FROM execution_open AS open
               WHERE open.place = 'PARKED' AND open.workspace_id = workspace.id
               LIMIT ?2
           )
       ), (
           SELECT count(*)
           FROM (
               SELECT 1
               FROM execution_open AS open
               WHERE open.place = 'DUE' AND open.workspace_id = workspace.id
               LIMIT ?2
           )
       ), (
           SELECT count(*)
           FROM (
               SELECT 1
               FROM execution_open AS open
               WHERE open.place = 'ACTIVE' AND open.workspace_id = workspace.id
                 AND open.queue_status = 'CLAIMED'
               LIMIT ?2
           )
       ), (
           SELECT count(*)
           FROM (
               SELECT 1
               FROM execution_open AS open
               WHERE open.place = 'ACTIVE' AND open.workspace_id = workspace.id
                 AND open.queue_status = 'DISPATCHED'
               LIMIT ?2
           )
       ), (
           SELECT open.created_at
           FROM execution_open AS open
           WHERE open.place = 'READY' AND open.workspace_id = workspace.id
           ORDER BY open.rank_at, open.id
           LIMIT 1
       )
FROM workspace
JOIN workspace_queue AS line ON line.workspace_id = workspace.id
WHERE workspace.id = ?1;
