-- Who has done what: one row for each command of a person or a program that has changed something.
-- Rows are appended and never changed.

CREATE TABLE audit_entry (
    workspace_id TEXT NOT NULL,
    id BLOB NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    key_id TEXT,
    key_name TEXT,
    remote_address TEXT,
    request_id TEXT,
    instance_id BLOB,
    subject TEXT,
    details TEXT,
    PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

-- The entry of a start has the id of its instance, and null here: it needs no place in this index.
CREATE INDEX audit_entry_of_instance ON audit_entry (instance_id, workspace_id, id)
    WHERE instance_id IS NOT NULL;
