"""A `millrace serve` under test: started, stopped, killed and started again on the same store."""

import ctypes
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from client import PATIENCE_SECONDS, Client

READY = "Millrace is ready."
PR_SET_PDEATHSIG = 1


def end_with_parent():
    """In the child: no server outlives a test that was killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def postgres_url():
    """Of the server that tools/with_postgres.py runs beside us."""
    url = os.environ.get("MILLRACE_TEST_POSTGRES")
    if not url:
        raise AssertionError("This test needs a PostgreSQL: run it through tools/with_postgres.py.")
    return url


def keep_no_freed_memory():
    """For tests of memory: AddressSanitizer keeps what was freed for a while, and that would count."""
    os.environ["ASAN_OPTIONS"] = (os.environ.get("ASAN_OPTIONS", "")
                                  + ":quarantine_size_mb=1:thread_local_quarantine_size_kb=64")


class SqliteStore:
    """A file in a directory of its own."""

    name = "sqlite"

    def __init__(self):
        self._directory = tempfile.TemporaryDirectory(prefix="millrace_e2e_")
        self.path = pathlib.Path(self._directory.name) / "millrace.db"
        self.url = f"sqlite:{self.path}"

    def remove(self):
        self._directory.cleanup()


class PostgresStore:
    """A database of its own."""

    name = "postgres"
    _count = 0

    def __init__(self):
        PostgresStore._count += 1
        self._database = f"e2e_{os.getpid()}_{PostgresStore._count}"
        self._run(f"CREATE DATABASE {self._database}")
        self.url = postgres_url().replace("/postgres?", f"/{self._database}?")

    @staticmethod
    def _run(statement):
        subprocess.run(
            ["psql", "-qX", "-v", "ON_ERROR_STOP=1", "-c", statement, postgres_url()], check=True,
            timeout=PATIENCE_SECONDS)

    def remove(self):
        self._run(f"DROP DATABASE {self._database} WITH (FORCE)")


class Server:
    """Ports are free ones and change with every start, so ask `client()` for connections."""

    def __init__(self, program, store, *options):
        self.store = store
        self.rest_port = 0
        self.grpc_port = 0
        self.metrics_port = 0
        self.log = []
        self._clients = []
        self._arguments = [
            program, "serve", "--rest-port", "0", "--metrics-port", "0",
            "--log-format", "json", *options]
        self.ready = threading.Event()
        self._settled = threading.Event()  # Ready, or ended.
        self._process = None
        self._reader = None

    def start(self):
        """Returns when the server is ready; fails with its log when it ends or takes too long."""
        self._settled.clear()
        self._process = subprocess.Popen(
            [*self._arguments, "--store", self.store.url], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "WE_GRPC_PORT": "0", **getattr(self.store, "environment", {})},
            preexec_fn=end_with_parent)
        self._reader = threading.Thread(
            target=self._read_log, args=[self._process.stdout], daemon=True)
        self._reader.start()
        self._settled.wait(PATIENCE_SECONDS)
        if not self.ready.is_set():
            self.kill()
            raise AssertionError("The server is not ready:\n" + "\n".join(self.log))
        return self

    def move_to(self, store):
        """The next start is on this store; `client()`s stay good."""
        self.store = store

    def is_running(self):
        return self._process.poll() is None

    def pid(self):
        return self._process.pid

    def send_signal(self, number):
        self._process.send_signal(number)

    def wait(self, timeout=PATIENCE_SECONDS):
        """The exit code, once it is there; fails after the timeout."""
        code = self._process.wait(timeout)
        self._reader.join()
        return code

    def stop(self, number=signal.SIGTERM):
        """Returns the exit code of a graceful stop."""
        self.send_signal(number)
        return self.wait()

    def kill(self):
        """Ends it as a power cut would end it."""
        self.ready.clear()
        self._process.kill()
        return self.wait()

    def client(self, timeout=PATIENCE_SECONDS, tls=None):
        return self._keep(Client(lambda: self.rest_port, timeout, tls=tls))

    def metrics_client(self, tls=None):
        return self._keep(Client(lambda: self.metrics_port, contract=None, tls=tls))

    def discard(self):
        """Frees what a test left behind."""
        if self.is_running():
            self.kill()
        for client in self._clients:
            client.close()

    def _keep(self, client):
        self._clients.append(client)
        return client

    def log_messages(self):
        return [json.loads(line)["message"] for line in self.log if line.startswith("{")]

    def _read_log(self, stream):
        with stream:
            for line in stream:
                self.log.append(line.rstrip("\n"))
                if READY in line:
                    fields = json.loads(line)
                    self.rest_port = fields["restPort"]
                    self.grpc_port = fields.get("grpcPort")  # Earlier programs have none.
                    self.metrics_port = fields["metricsPort"]
                    self.ready.set()
                    self._settled.set()
        self.ready.clear()
        self._settled.set()


class ServerTestCase(unittest.TestCase):
    """A test that starts servers; whatever is left of them goes at its end."""

    program = ""

    def new_store(self, kind=SqliteStore):
        store = kind()
        self.addCleanup(store.remove)
        return store

    def new_server(self, store=None, *options):
        server = Server(self.program, store or self.new_store(), *options)
        server.start()
        self.addCleanup(server.discard)
        return server


def wait_until(condition, what, patience=PATIENCE_SECONDS):
    """Asks until the answer is true, and returns it; fails with `what` after the deadline."""
    deadline = time.monotonic() + patience
    while not (answer := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"Waited {patience} seconds for {what}.")
        time.sleep(0.01)  # Between questions; the deadline decides.
    return answer
