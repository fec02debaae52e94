-- The lock table of dispatcher.mode single, as programs with ShedLock know it: times are texts, UTC
-- without a zone. Where there is one already, it is used as it is.

CREATE TABLE IF NOT EXISTS shedlock (
    name VARCHAR(64) NOT NULL PRIMARY KEY,
    lock_until TIMESTAMP NOT NULL,
    locked_at TIMESTAMP NOT NULL,
    locked_by VARCHAR(255) NOT NULL
);
