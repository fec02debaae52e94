-- History and audit in one partition for each month of their ids (docs/adr/0012), and settings for
-- tables that change all the time. Names, columns, keys and indexes stay: a server of the version
-- before goes on.

-- Settings first: they wait for a vacuum at most, and nobody waits behind them. job, timer and
-- commit_mark have had theirs from the beginning, replica and duty_lease are a handful of rows.

-- The row of an instance is written again by every step and dead rows are mostly cleaned on their
-- page; a fifth of a big table is too late for those that are not.
ALTER TABLE instance SET (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 5000,
    autovacuum_analyze_scale_factor = 0.02
);
-- A claim changes who holds a task, a completion ends it; the index of open ones is read by people.
ALTER TABLE user_task SET (
    fillfactor = 85,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000
);
-- Rows come and go by the thousand and are read at the old end of an index.
ALTER TABLE idempotency_key SET (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0
);

-- The first id of a millisecond.
CREATE FUNCTION first_id_at(at timestamptz) RETURNS uuid
LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0')
            || repeat('0', 20))::uuid
$$;

-- Makes the partition of the ids from first_id up to end_id, named by the month of the first one,
-- and moves the rows there that wait in the partition for all other ids.
--
-- The table is made alone and attached when it is ready: that locks the parent against nobody who
-- reads or writes rows. Rows are appended and never changed, so they fill their pages; a vacuum in
-- good time makes them visible to all and frozen, for they are never touched again.
CREATE FUNCTION add_partition(parent text, first_id uuid, end_id uuid) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    milliseconds bigint := ('x' || left(replace(first_id::text, '-', ''), 12))::bit(48)::bigint;
    month timestamp := to_timestamp(milliseconds / 1000) AT TIME ZONE 'UTC';
    name text := parent || to_char(month, '_YYYYMM');
BEGIN
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent || '_default');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) WITH (fillfactor = 100, '
                   'autovacuum_vacuum_insert_scale_factor = 0.05, '
                   'autovacuum_freeze_min_age = 1000000)', name, parent);
    EXECUTE format('WITH moved AS (DELETE FROM %I WHERE id >= $1 AND id < $2 RETURNING *) '
                   'INSERT INTO %I SELECT * FROM moved', parent || '_default', name)
    USING first_id, end_id;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                   parent, name, first_id, end_id);
END
$$;

-- Both tables at once, in the order in which batches write them. Whoever waits for such a lock stops
-- all who come behind: it is asked for briefly, again and again.
DO $$
BEGIN
    FOR attempt IN 1..60 LOOP
        BEGIN
            SET LOCAL lock_timeout = '500ms';
            LOCK TABLE step_execution, audit_entry IN ACCESS EXCLUSIVE MODE;
            SET LOCAL lock_timeout = DEFAULT;
            RETURN;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.5);
        END;
    END LOOP;
    RAISE lock_not_available USING MESSAGE = 'step_execution or audit_entry is in use all the time';
END
$$;

-- Turns a table into the first partition, for all ids up to the end of this month, of a new table
-- that takes its name. Attaching reads all of it once; nothing is copied but ids beyond the month,
-- of clocks that were ahead.
CREATE FUNCTION partition_by_month(parent text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    this_month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
    end_id uuid := first_id_at((this_month + interval '1 month') AT TIME ZONE 'UTC');
    old_index text;
BEGIN
    FOR old_index IN
        SELECT relname
        FROM pg_index
        JOIN pg_class ON pg_class.oid = indexrelid
        WHERE indrelid = parent::regclass
    LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', old_index,
                       overlay(old_index PLACING parent || '_first' FROM 1 FOR length(parent)));
    END LOOP;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', parent, parent || '_first');
    EXECUTE format('ALTER TABLE %I SET (autovacuum_vacuum_insert_scale_factor = 0.05)',
                   parent || '_first');
    EXECUTE format('CREATE TABLE %I (LIKE %I) PARTITION BY RANGE (id)', parent, parent || '_first');
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (workspace_id, id)',
                   parent, parent || '_pkey');
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', parent || '_default', parent);
    EXECUTE format('WITH moved AS (DELETE FROM %I WHERE id >= $1 RETURNING *) '
                   'INSERT INTO %I SELECT * FROM moved', parent || '_first', parent || '_default')
    USING end_id;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)',
                   parent, parent || '_first', end_id);
    FOR ahead IN 1..3 LOOP
        PERFORM add_partition(
            parent,
            first_id_at((this_month + ahead * interval '1 month') AT TIME ZONE 'UTC'),
            first_id_at((this_month + (ahead + 1) * interval '1 month') AT TIME ZONE 'UTC'));
    END LOOP;
END
$$;

SELECT partition_by_month('step_execution');
SELECT partition_by_month('audit_entry');
DROP FUNCTION partition_by_month(text);

-- The index of each partition joins it, or is made.
CREATE INDEX audit_entry_of_instance ON audit_entry (instance_id, workspace_id, id)
    WHERE instance_id IS NOT NULL;

-- Drops a partition with all that is in it. The parent is locked first, as by everybody who reads or
-- writes.
CREATE FUNCTION drop_partition(parent text, partition text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', parent);
    EXECUTE format('DROP TABLE %I', partition);
END
$$;

-- Whether something needs a partition: one of history an instance with an id in its range, in any
-- workspace; one of the audit the entries themselves.
--
-- Skips from workspace to workspace through the primary key and looks once in each.
CREATE FUNCTION is_partition_used(parent text, partition text, first_id uuid, end_id uuid)
    RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    workspace text := '';
    is_used boolean;
BEGIN
    IF parent <> 'step_execution' THEN
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', partition) INTO is_used;
        RETURN is_used;
    END IF;
    LOOP
        SELECT workspace_id INTO workspace
        FROM instance
        WHERE workspace_id > workspace
        ORDER BY workspace_id
        LIMIT 1;
        IF NOT FOUND THEN
            RETURN false;
        END IF;
        IF EXISTS (SELECT FROM instance
                   WHERE workspace_id = workspace AND id >= first_id AND id < end_id) THEN
            RETURN true;
        END IF;
    END LOOP;
END
$$;

-- Drops a partition that nothing needs, and tells whether it did. Looked at twice: first without a
-- lock, for most are needed; then with the lock, which nobody who has written into it and not yet
-- committed lets go.
CREATE FUNCTION drop_unused_partition(parent text, partition text, first_id uuid, end_id uuid)
    RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    IF is_partition_used(parent, partition, first_id, end_id) THEN
        RETURN false;
    END IF;
    EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', parent);
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', partition);
    IF is_partition_used(parent, partition, first_id, end_id) THEN
        RETURN false;
    END IF;
    EXECUTE format('DROP TABLE %I', partition);
    RETURN true;
END
$$;
