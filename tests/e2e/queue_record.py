"""A record of every move of an execution in the queue, kept by triggers of the store itself.

It misses nothing and is part of the transactions that it tells of: what a killed server did not commit
is not in it. tests/checker/queue_checker.py judges it.
"""

import pathlib
import sqlite3
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checker"))

from client import PATIENCE_SECONDS
from queue_checker import Move

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
POSTGRES = """
CREATE TABLE queue_record (
    seq bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(), id uuid NOT NULL,
    workspace_id text NOT NULL, concurrency_key text, place text NOT NULL);
CREATE FUNCTION note_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO queue_record (id, workspace_id, concurrency_key, place)
        VALUES (OLD.id, OLD.workspace_id, OLD.concurrency_key, '');
        RETURN OLD;
    END IF;
    INSERT INTO queue_record (id, workspace_id, concurrency_key, place)
    VALUES (NEW.id, NEW.workspace_id, NEW.concurrency_key, NEW.place);
    RETURN NEW;
END $$;
CREATE TRIGGER note_move AFTER INSERT OR DELETE OR UPDATE ON execution_open
    FOR EACH ROW EXECUTE FUNCTION note_move();
"""
SQLITE_TABLE = """
CREATE TABLE queue_record (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, id TEXT NOT NULL,
    workspace_id TEXT NOT NULL, concurrency_key TEXT, place TEXT NOT NULL);
"""
SQLITE_TRIGGER = """
CREATE TRIGGER note_{event} AFTER {event} ON execution_open BEGIN
    INSERT INTO queue_record (at, id, workspace_id, concurrency_key, place)
    VALUES ((julianday('now') - 2440587.5) * 86400.0, hex({row}.id), {row}.workspace_id,
            {row}.concurrency_key, {place});
END;
"""
COLUMNS = "id, workspace_id, coalesce(concurrency_key, ''), place FROM queue_record ORDER BY seq"


def id_text(digits):
    """An id as the API shows it."""
    number = int(digits.replace("-", ""), 16)
    return "".join(DIGITS[number >> shift & 31] for shift in range(125, -1, -5))


def begin_record(program, store):
    """On a store that no server has open yet."""
    subprocess.run([program, "migrate", "up", "--store", store.url], check=True,
                   stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=PATIENCE_SECONDS)
    if not store.url.startswith("sqlite:"):
        _psql(store, POSTGRES)
        return
    triggers = [SQLITE_TRIGGER.format(event=event, row=row, place=place) for event, row, place in (
        ("INSERT", "NEW", "NEW.place"), ("UPDATE", "NEW", "NEW.place"), ("DELETE", "OLD", "''"))]
    _sqlite(store, lambda database: database.executescript(SQLITE_TABLE + "".join(triggers)))


def read_record(store):
    """All moves so far. A file is read while no server has it open."""
    if store.url.startswith("sqlite:"):
        rows = _sqlite(store, lambda database: database.execute(f"SELECT at, {COLUMNS}").fetchall())
    else:
        text = _psql(store, f"SELECT extract(epoch FROM at), {COLUMNS}")
        rows = [line.split("\t") for line in text.splitlines()]
    return tuple(Move(float(at), id_text(digits), *rest) for at, digits, *rest in rows)


def count_open(store):
    """Rows of executions that are not over."""
    statement = "SELECT count(*) FROM execution_open"
    if store.url.startswith("sqlite:"):
        return _sqlite(store, lambda database: database.execute(statement).fetchone()[0])
    return int(_psql(store, statement))


def _sqlite(store, work):
    database = sqlite3.connect(store.url.removeprefix("sqlite:"))
    try:
        with database:
            return work(database)
    finally:
        database.close()


def _psql(store, statements):
    return subprocess.run(
        ["psql", "-qXAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", statements, store.url],
        check=True, timeout=PATIENCE_SECONDS, stdout=subprocess.PIPE, text=True).stdout
