"""A PgBouncer in front of a PostgreSQL, which pools transactions."""

import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile

from client import PATIENCE_SECONDS
from server import end_with_parent, wait_until


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def find_program():
    found = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    assert found, "There is no PgBouncer here: install pgbouncer."
    return found


class PgBouncer:
    """Start it on the main thread: it ends with the thread that started it."""

    def __init__(self, database_folder, pool_size):
        self.port = free_port()
        self._account = pwd.getpwnam("postgres") if os.geteuid() == 0 else None  # It refuses root.
        self._directory = pathlib.Path(tempfile.mkdtemp(prefix="pgbouncer-"))
        self._process = None
        (self._directory / "users").write_text('"postgres" ""\n')
        (self._directory / "pgbouncer.ini").write_text(
            f"""[databases]
* = host={database_folder}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {self.port}
unix_socket_dir =
auth_type = trust
auth_file = {self._directory}/users
pool_mode = transaction
default_pool_size = {pool_size}
max_client_conn = 500
server_login_retry = 0.1
logfile = {self._directory}/log
""")
        if self._account:
            for path in (self._directory, *self._directory.iterdir()):
                os.chown(path, self._account.pw_uid, self._account.pw_gid)

    def url(self, database="postgres"):
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self):
        self._process = subprocess.Popen(
            [find_program(), "-q", self._directory / "pgbouncer.ini"], cwd=self._directory,
            preexec_fn=self._become_pooler, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        wait_until(self._is_ready, "PgBouncer")
        return self

    def _become_pooler(self):
        if self._account:
            os.setgroups([])
            os.setgid(self._account.pw_gid)
            os.setuid(self._account.pw_uid)
        end_with_parent()

    def _is_ready(self):
        assert self._process.poll() is None, (self._directory / "log").read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self):
        """At once: every connection through it is cut, wherever it is."""
        self._process.kill()
        self._process.wait(PATIENCE_SECONDS)

    def restart(self, number=signal.SIGKILL):
        self._process.send_signal(number)
        self._process.wait(PATIENCE_SECONDS)
        self.start()

    def stop(self):
        if self._process and self._process.poll() is None:
            self.kill()
        shutil.rmtree(self._directory, ignore_errors=True)
