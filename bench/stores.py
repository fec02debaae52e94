"""The two databases: new ones for each measurement, and what belongs to their dialect."""

import pathlib
import sqlite3
import subprocess
import urllib.parse

import processes

OTHER_JOBS = pathlib.Path(__file__).parent / "other_jobs"


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
        directory = urllib.parse.parse_qs(self.parts.query)["host"][0]
        pid_file = pathlib.Path(directory) / "data" / "postmaster.pid"
        self.pid = int(pid_file.read_text().split()[0])

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
