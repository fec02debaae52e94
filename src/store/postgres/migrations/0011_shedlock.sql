-- The lock table of dispatcher.mode single, as programs with ShedLock know it: times are UTC without
-- a zone. Where there is one already, it is used as it is.

CREATE TABLE IF NOT EXISTS shedlock (
    name varchar(64) NOT NULL PRIMARY KEY,
    lock_until timestamp NOT NULL,
    locked_at timestamp NOT NULL,
    locked_by varchar(255) NOT NULL
);
