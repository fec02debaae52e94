-- Only here. The row of a duty's lease, if there is none yet: held by nobody.
-- $1 duty
INSERT INTO duty_lease (duty, fence, expires_at)
VALUES ($1::text, 0, clock_timestamp())
ON CONFLICT (duty) DO NOTHING;
