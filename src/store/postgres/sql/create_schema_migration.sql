-- Makes the table of applied migrations. Before anything else: it cannot be a migration itself.
CREATE TABLE IF NOT EXISTS schema_migration (
    version integer PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    checksum text COLLATE "C" NOT NULL,
    applied_at timestamptz NOT NULL
);
