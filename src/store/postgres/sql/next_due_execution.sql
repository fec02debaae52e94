-- When the next waiting execution is due, or too late.
SELECT least(
    (SELECT min(due_at) FROM execution_open WHERE place = 'DUE'),
    (SELECT min(deadline) FROM execution_open WHERE place <> 'ACTIVE' AND deadline IS NOT NULL));
