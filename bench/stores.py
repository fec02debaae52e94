"""The two databases: new ones for each measurement, and what belongs to their dialect."""

import contextlib
import pathlib
import sqlite3
import subprocess
import urllib.parse

import processes

OTHER_JOBS = pathlib.Path(__file__).parent / "other_jobs"
FINISHED_JOBS = pathlib.Path(__file__).parent / "finished_jobs"
BLOCKED_EXECUTIONS = pathlib.Path(__file__).parent / "blocked_executions"


class SqliteStore:
    title = "SQLite"

    def __init__(self, directory):
        self.directory = directory

    def make(self, name):
        """A new, empty database: what names it for the server and for the floor."""
        path = self.directory / f"{name}.db"
        return f"sqlite:{path}", ["--sqlite", str(path)]

    def drop(self, name):
        for path in self.directory.glob(f"{name}.db*"):
            path.unlink()

    def add_other_jobs(self, name):
        with sqlite3.connect(self.directory / f"{name}.db") as connection:
            connection.executescript((OTHER_JOBS / "sqlite.sql").read_text())
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def cpu_seconds(self):
        return 0.0  # It is part of the server.


class PostgresStore:
    title = "PostgreSQL"

    def __init__(self, url):
        self.url = url
        self.parts = urllib.parse.urlsplit(url)
        self.data = pathlib.Path(urllib.parse.parse_qs(self.parts.query)["host"][0]) / "data"
        self.pid = int((self.data / "postmaster.pid").read_text().split()[0])

    def url_of(self, name):
        return urllib.parse.urlunsplit(self.parts._replace(path="/" + name))

    def psql(self, url, *arguments):
        subprocess.run(["psql", "-q", "-X", "-v", "ON_ERROR_STOP=1", *arguments, url], check=True,
                       stdout=subprocess.DEVNULL)

    def make(self, name):
        self.psql(self.url, "-c", f"CREATE DATABASE {name}")
        # Each measurement begins with a clean log, not in the middle of another one's checkpoint.
        self.psql(self.url, "-c", "CHECKPOINT")
        url = self.url_of(name)
        return url, ["--postgres", url]

    def drop(self, name):
        self.psql(self.url, "-c", f"DROP DATABASE {name} WITH (FORCE)")

    def add_other_jobs(self, name):
        self.psql(self.url_of(name), "-f", str(OTHER_JOBS / "postgres.sql"))

    def cpu_seconds(self):
        return processes.cpu_seconds_of_tree(self.pid)

    def ask(self, name, question):
        """The only value of a query's answer, as text."""
        done = subprocess.run(["psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", question,
                               self.url_of(name)], check=True, text=True, stdout=subprocess.PIPE)
        return done.stdout.strip()

    def add_finished_jobs(self, name, instances):
        """The traces of so many more of the finished instance that is there."""
        self.psql(self.url_of(name), "-v", f"instances={instances}",
                  "-f", str(FINISHED_JOBS / "postgres.sql"))

    def add_blocked_executions(self, name, place, copies):
        """So many more beside each execution that waits in that place."""
        self.psql(self.url_of(name), "-v", f"place={place}", "-v", f"copies={copies}",
                  "-f", str(BLOCKED_EXECUTIONS / "postgres.sql"))

    def settle(self, name):
        """What autovacuum and the checkpointer do sooner or later, done now."""
        self.psql(self.url_of(name), "-c", "VACUUM ANALYZE", "-c", "CHECKPOINT")

    def wal_bytes(self):
        return int(self.ask("postgres", "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"))

    def commits(self, name):
        """Sessions count theirs with a delay: exact once they have ended."""
        return int(self.ask("postgres", "SELECT xact_commit FROM pg_stat_database"
                                        f" WHERE datname = '{name}'"))

    @contextlib.contextmanager
    def held_snapshot(self, name):
        """A transaction of somebody else that sees the database as it is now, and stays open."""
        holder = subprocess.Popen(
            ["psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", self.url_of(name)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            holder.stdin.write("BEGIN ISOLATION LEVEL REPEATABLE READ;\nSELECT pg_backend_pid();\n")
            holder.stdin.flush()
            holder.stdout.readline()  # BEGIN
            yield int(holder.stdout.readline())
        finally:
            holder.stdin.close()
            holder.wait()
            holder.stdout.close()

    def transactions_held_back(self, pid):
        return int(self.ask("postgres", "SELECT age(backend_xmin) FROM pg_stat_activity"
                                        f" WHERE pid = {pid}"))

    def size_bytes(self, name):
        return int(self.ask("postgres", f"SELECT pg_database_size('{name}')"))

    def dead_rows(self, name):
        return int(self.ask(name, "SELECT sum(n_dead_tup) FROM pg_stat_user_tables"))

    def settings(self):
        names = ["server_version", "fsync", "synchronous_commit", "full_page_writes",
                 "shared_buffers", "max_wal_size", "checkpoint_timeout"]
        return {name: self.ask("postgres", f"SHOW {name}") for name in names}
