"""PostgreSQL servers that a test owns, to be killed, restarted and promoted as it likes."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import with_postgres
from client import PATIENCE_SECONDS

# Whatever is killed here, the machine stays up: what was written is safe without waiting for the
# disk. A commit is written before it is acknowledged, for a server that is killed loses its memory.
SETTINGS = {
    **with_postgres.SETTINGS,
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "on",
    "log_line_prefix": "%m [%p] ",
}
STANDBY = "standby"  # The name by which a primary knows it.


def children_of(pid):
    listed = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(each) for each in listed.split()]


@contextlib.contextmanager
def session(url):
    """Yields a function that runs statements and returns the one value that they bring."""
    process = subprocess.Popen(
        ["psql", "-qXAt", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(statements):
        process.stdin.write(statements + ";\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    with process:
        yield ask


class Postgres(with_postgres.Server):
    """A server with the account postgres and nothing in it. Start it on the main thread: it ends
    with the thread that started it."""

    def __init__(self, parent=None, environment=None, **settings):
        super().__init__({**SETTINGS, **settings}, parent, environment)

    def query(self, statement, *options):
        """The rows that a statement brings, each as a line. Raises CalledProcessError."""
        done = subprocess.run(
            ["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", *options, "-c", statement, self.url()],
            check=True, timeout=PATIENCE_SECONDS, capture_output=True, text=True)
        return done.stdout.split("\n")[:-1]

    def backends(self):
        """Process ids of what serves Millrace."""
        return [int(each) for each in self.query(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'millrace' "
            "AND backend_type = 'client backend'")]

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def restart_immediately(self):
        """As `pg_ctl restart -m immediate` does it: nothing is written, everybody is cut off."""
        self.run_tool("pg_ctl", "stop", "-D", self.data, "-m", "immediate")
        self.process.wait(PATIENCE_SECONDS)
        self.launch()

    def kill(self):
        """Ends it as the loss of its machine would: no process of it does anything more."""
        processes = children_of(self.process.pid)
        self.process.send_signal(signal.SIGSTOP)  # It is not to see how they end.
        for each in processes + children_of(self.process.pid):
            try:
                os.kill(each, signal.SIGKILL)
            except ProcessLookupError:
                pass  # It ended by itself.
        self.process.kill()
        self.process.wait(PATIENCE_SECONDS)

    def send_signal_to_all(self, number):
        """To the server and all its processes."""
        for each in [self.process.pid, *children_of(self.process.pid)]:
            os.kill(each, number)

    def start_as_standby_of(self, primary):
        """Copies a primary, follows it, and has it wait for us with every commit."""
        shutil.rmtree(self.data, ignore_errors=True)
        target = f"host={primary.directory} user=postgres application_name={STANDBY}"
        self.run_tool("pg_basebackup", "-d", target, "-D", self.data, "--write-recovery-conf",
                      "--wal-method=stream", "--checkpoint=fast", "--no-sync")
        self.launch()
        primary.query(f"ALTER SYSTEM SET synchronous_standby_names = '{STANDBY}'")
        primary.query("SELECT pg_reload_conf()")

    def has_synchronous_standby(self):
        return self.query("SELECT sync_state FROM pg_stat_replication") == ["sync"]

    def promote(self):
        """From a standby to a primary that waits for nobody."""
        self.query("SELECT pg_promote()")
        self.query("ALTER SYSTEM RESET synchronous_standby_names")
        self.query("SELECT pg_reload_conf()")


class Pair:
    """A primary and a standby that has everything that the primary has acknowledged."""

    def __init__(self, primary, standby):
        self.primary = primary
        self.standby = standby

    def start(self):
        self.primary.start()
        self.add_standby()

    def fail_over(self):
        """Kills the primary and promotes the standby."""
        self.primary.kill()
        self.primary, self.standby = self.standby, self.primary
        self.primary.promote()

    def add_standby(self):
        self.standby.start_as_standby_of(self.primary)

    def stop(self):
        self.primary.stop()
        self.standby.stop()


def url_of(*hosts, database="postgres"):
    """A connection string that finds the primary among servers: folders of sockets, or ports."""
    is_port = isinstance(hosts[0], int)
    names = ["127.0.0.1" if is_port else str(each) for each in hosts]
    fields = {"host": ",".join(names), "target_session_attrs": "read-write"}
    if is_port:
        fields["port"] = ",".join(map(str, hosts))
    return f"postgresql://postgres@/{database}?" + urllib.parse.urlencode(fields)
