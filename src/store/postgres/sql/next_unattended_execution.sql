-- When the next active execution has to be looked at.
SELECT min(due_at)
FROM execution_open
WHERE place = 'ACTIVE' AND due_at IS NOT NULL;
