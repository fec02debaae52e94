-- Who has done what: one row for each command of a person or a program that has changed something.
-- Rows are appended and never changed.

CREATE TABLE audit_entry (
    workspace_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    at timestamptz NOT NULL,
    kind text COLLATE "C" NOT NULL,
    key_id text COLLATE "C",
    key_name text COLLATE "C",
    remote_address text COLLATE "C",
    request_id text COLLATE "C",
    instance_id uuid,
    subject text COLLATE "C",
    details text COLLATE "C",
    PRIMARY KEY (workspace_id, id)
);

-- The entry of a start has the id of its instance, and null here: it needs no place in this index.
CREATE INDEX audit_entry_of_instance ON audit_entry (instance_id, workspace_id, id)
    WHERE instance_id IS NOT NULL;
