#!/usr/bin/env python3
"""Runs a command beside a Temporal server of its own, and throws that away afterwards.

Usage: with_temporal.py [--set NAME=VALUE]... COMMAND [ARGUMENT]...

The command finds the server's address in MILLRACE_TEST_TEMPORAL and Temporal's own command line in
MILLRACE_TEST_TEMPORAL_PROGRAM; a worker polls the task queue millrace-test. A proxy before the server,
with TLS, client certificates and an API key, is described by MILLRACE_TEST_TEMPORAL_TLS as JSON. The
command's exit code is ours; all others end with us.

--set    a dynamic setting of the server, e.g. frontend.namespaceRPS=100000
"""

import argparse
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import temporal_programs
import with_postgres

SECONDS_MAX = 60
TASK_QUEUE = "millrace-test"
API_KEY = "key-of-tests"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def clean_environment():
    """Without what a developer may have set for clusters of his own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TEMPORAL_")}


class Process:
    """A program that says on its standard output when it is ready. Start it on the main thread: it
    ends with the thread that started it."""

    def __init__(self):
        self.process = None
        self.lines = []
        self._changed = threading.Condition()
        self._is_over = False

    def launch(self, program, *arguments):
        self.lines = []
        self._is_over = False
        self.process = subprocess.Popen(
            [program, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env=clean_environment(),
            preexec_fn=self._become_child)
        threading.Thread(target=self._read, args=[self.process.stdout], daemon=True).start()

    @staticmethod
    def _become_child():
        os.setsid()  # An interrupt from the terminal is for us to handle.
        with_postgres.end_with_parent(signal.SIGKILL)

    def _read(self, stream):
        with stream:
            for line in stream:
                with self._changed:
                    self.lines.append(line.rstrip("\n"))
                    self._changed.notify_all()
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def wait_for_line(self, text, count=1, timeout=SECONDS_MAX):
        """The count-th line with this text; fails when the program ends without it."""

        def found():
            return [line for line in self.lines if text in line][count - 1:count]

        with self._changed:
            self._changed.wait_for(lambda: found() or self._is_over, timeout)
            if not found():
                raise with_postgres.Failed(f"no {text!r} from {self.process.args[0]}:\n"
                                           + "\n".join(self.lines))
            return found()[0]

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """Ends it as a power cut would end it."""
        self.process.kill()
        self._reap()

    def stop(self):
        if self.is_running():
            self.process.terminate()
            self._reap()

    def _reap(self):
        try:
            self.process.wait(SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()


class Server(Process):
    """A Temporal server on a port of 127.0.0.1, which it keeps. Its state lives in its memory, or in
    a folder."""

    def __init__(self, settings=(), folder=None):
        super().__init__()
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self._options = [f"--dynamic-config-value={setting}" for setting in settings]
        if folder:
            self._options += ["--db-filename", pathlib.Path(folder) / "temporal.db"]

    def start(self):
        """Also after a stop or a kill: then with the state that the folder has."""
        self.launch(temporal_programs.server().built(), "server", "start-dev", "--headless",
                    "--ip", "127.0.0.1", "--port", self.port, "--log-level", "error",
                    *self._options)
        self.wait_for_line("Server:")
        self._wait_until_it_answers()
        return self

    def _wait_until_it_answers(self):
        deadline = time.monotonic() + SECONDS_MAX
        while not self._answers():
            if not self.is_running() or time.monotonic() > deadline:
                raise with_postgres.Failed("Temporal does not start:\n" + "\n".join(self.lines))
            time.sleep(0.05)  # Between questions; the deadline decides.

    def _answers(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class Worker(Process):
    """Runs the workflows of tests/temporal/worker."""

    def __init__(self, address, namespace="default", task_queue=TASK_QUEUE):
        super().__init__()
        self._arguments = [
            "--address", address, "--namespace", namespace, "--task-queue", task_queue]

    def start(self):
        self.launch(temporal_programs.worker().built(), *self._arguments)
        self.wait_for_line("ready")
        return self


class Proxy(Process):
    """A proxy before a server. It speaks TLS if it has a certificate, and then may ask for one that
    the client's authority has signed, and for an API key. It can lose what is sent through it."""

    def __init__(self, upstream, certificate=None, key=None, client_ca=None, api_key=None):
        super().__init__()
        self.address = ""
        self._arguments = ["--upstream", upstream]
        for name, value in {"certificate": certificate, "key": key, "client-ca": client_ca,
                            "api-key": api_key}.items():
            if value:
                self._arguments += [f"--{name}", value]
        self._orders = 0

    def start(self):
        self.launch(temporal_programs.proxy().built(), *self._arguments)
        self.address = "127.0.0.1:" + self.wait_for_line("listening").split()[1]
        return self

    def order(self, what, count=1):
        """What becomes of the next starts: refuse, lose, hold or cut; see proxy/faults.go."""
        self._orders += 1
        self.process.stdin.write(f"{what} {count}\n")
        self.process.stdin.flush()
        self.wait_for_line("ok", self._orders)


class TlsFiles:
    """Certificates of this machine and of a client, each signed by itself."""

    def __init__(self):
        self._directory = tempfile.TemporaryDirectory(prefix="temporal-tls-")
        self.directory = pathlib.Path(self._directory.name)
        self.server = self.new_pair("server", "temporal.test")
        self.client = self.new_pair("client", "millrace")
        self.stranger = self.new_pair("stranger", "stranger")

    def new_pair(self, name, host):
        files = [self.directory / f"{name}.pem", self.directory / f"{name}.key"]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "1", "-subj", f"/CN={host}", "-addext",
             f"subjectAltName=DNS:{host}", "-out", files[0], "-keyout", files[1]],
            check=True, capture_output=True, timeout=SECONDS_MAX)
        return files

    def remove(self):
        self._directory.cleanup()


@contextlib.contextmanager
def all_processes(settings):
    """Starts everything; yields the variables that tell of it."""
    with contextlib.ExitStack() as stack:
        server = Server(settings)
        stack.callback(server.stop)
        server.start()
        worker = Worker(server.address)
        stack.callback(worker.stop)
        worker.start()
        files = TlsFiles()
        stack.callback(files.remove)
        proxy = Proxy(server.address, *files.server, files.client[0], API_KEY)
        stack.callback(proxy.stop)
        proxy.start()
        yield {
            "MILLRACE_TEST_TEMPORAL": server.address,
            "MILLRACE_TEST_TEMPORAL_PROGRAM": str(temporal_programs.server().path),
            "MILLRACE_TEST_TEMPORAL_TLS": json.dumps({
                "address": proxy.address,
                "directory": str(files.directory),
                "serverName": "temporal.test",
                "apiKey": API_KEY,
            }),
        }


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--set", dest="settings", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("which command?")
    with_postgres.end_on_signals()
    try:
        with all_processes(arguments.settings) as variables:
            return with_postgres.run(arguments.command, variables)
    except (with_postgres.Failed, temporal_programs.Failed) as failure:
        sys.exit(f"with_temporal.py: {failure}")
    except with_postgres.Ended as ended:
        return 128 + ended.args[0]


if __name__ == "__main__":
    sys.exit(main())
