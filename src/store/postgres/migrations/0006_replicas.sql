-- The servers that share this schema, and which of them does what one does for all. All times are
-- the database's own.

CREATE TABLE replica (
    id uuid NOT NULL PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    version text COLLATE "C" NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE duty_lease (
    duty text COLLATE "C" NOT NULL PRIMARY KEY,
    holder uuid,                     -- Null: it was given up.
    fence bigint NOT NULL,           -- Grows with every new holder.
    expires_at timestamptz NOT NULL
) WITH (fillfactor = 50);
