-- When the next active execution has to be looked at.
SELECT due_at
FROM execution_open
WHERE place = 'ACTIVE' AND due_at IS NOT NULL
ORDER BY due_at
LIMIT 1;
