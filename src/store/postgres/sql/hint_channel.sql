-- Only here. The channel on which the replicas of this schema tell each other what they have
-- committed: a database may have several such schemas.
SELECT 'millrace_' || to_hex(hashtextextended(current_schema()::text, 0));
