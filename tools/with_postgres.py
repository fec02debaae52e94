#!/usr/bin/env python3
"""Runs a command beside a PostgreSQL of its own, and throws that away afterwards.

Usage: with_postgres.py [--fast] [-c NAME=VALUE]... COMMAND [ARGUMENT]...

The command finds the server's URL in MILLRACE_TEST_POSTGRES. Its exit code is ours. The server
listens on a socket in a temporary directory, so that any number can run at once; it ends with us,
whatever ends us. As root we run it as the user postgres, for it refuses to be root.

--fast   does not wait for the disk: for tests that ask nothing about lost power
-c       a setting of the server
"""

import argparse
import ctypes
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

READY_SECONDS_MAX = 60
COMMAND_SECONDS_TO_END = 10
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "300",  # Many test programs at once.
}
SETTINGS_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
PORT_DEFAULT = 5432  # Of a socket in a directory, where nobody else is.
PR_SET_PDEATHSIG = 1


def end_with_parent(number):
    """Has the kernel send this process a signal when its parent dies."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, number)


def find_binaries():
    """The folder of initdb and postgres; Debian keeps them out of the PATH."""
    found = shutil.which("initdb")
    if found:
        return pathlib.Path(found).resolve().parent
    folders = pathlib.Path("/usr/lib/postgresql").glob("*/bin")
    versions = [folder for folder in folders if (folder / "initdb").exists()]
    if not versions:
        raise Failed("there is no PostgreSQL here: install postgresql-15.")
    return max(versions, key=lambda folder: float(folder.parent.name))


class Failed(Exception):
    """The server cannot be had; says why."""


class Server:
    """A PostgreSQL in a temporary directory, from start() to stop()."""

    def __init__(self, settings, parent=None, environment=None):
        self.binaries = find_binaries()
        self.settings = settings
        self.account = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="postgres-", dir=parent))
        self.data = self.directory / "data"
        self.environment = {**os.environ, **(environment or {})}
        self.process = None
        if self.account:
            os.chown(self.directory, self.account.pw_uid, self.account.pw_gid)

    def become_server(self):
        """In the child: the account first, for changing it forgets the signal."""
        if self.account:
            os.setgroups([])
            os.setgid(self.account.pw_gid)
            os.setuid(self.account.pw_uid)
        os.setsid()  # An interrupt from the terminal is for us to handle.
        end_with_parent(signal.SIGQUIT)

    def start(self):
        self.run_tool("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "--no-sync",
                      "--encoding=UTF8", "--locale=C.UTF-8")
        self.launch()

    def run_tool(self, name, *arguments):
        """Runs a program of PostgreSQL as the server's account."""
        done = subprocess.run(
            [self.binaries / name, *arguments], preexec_fn=self.become_server, cwd=self.directory,
            capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"{name} failed:\n{done.stdout}{done.stderr}")

    def launch(self):
        """Starts the server on the data that is there."""
        options = [f"-c{name}={value}" for name, value in self.settings.items()]
        with open(self.directory / "log", "ab") as log:
            self.process = subprocess.Popen(
                [self.binaries / "postgres", "-D", self.data, "-k", self.directory, *options],
                preexec_fn=self.become_server, cwd=self.directory, stdout=log, stderr=log,
                env=self.environment)
        self.wait_until_ready()

    def wait_until_ready(self):
        deadline = time.monotonic() + READY_SECONDS_MAX
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Failed(f"the server does not start:\n{self.log()}")
            time.sleep(0.02)

    def is_ready(self):
        question = [self.binaries / "pg_isready", "-q", "-d", self.url()]
        return subprocess.run(question, check=False).returncode == 0

    def log(self):
        return (self.directory / "log").read_text(errors="replace")

    def url(self):
        fields = {"host": self.directory, "port": self.settings.get("port", PORT_DEFAULT)}
        return "postgresql://postgres@/postgres?" + urllib.parse.urlencode(fields)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)  # At once: nobody needs the data.
            self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


class Ended(Exception):
    """A signal asked us to end."""


def run(command, variables):
    """The exit code of the command; as a shell tells it when a signal ended it."""
    try:
        process = subprocess.Popen(
            command, env={**os.environ, **variables},
            preexec_fn=lambda: end_with_parent(signal.SIGTERM))
    except OSError as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: {command[0]}: {error.strerror}", file=sys.stderr)
        return 127
    try:
        code = process.wait()
    except Ended:
        process.terminate()
        try:
            process.wait(COMMAND_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        raise
    return code if code >= 0 else 128 - code


def end_on_signals():
    """From now on, what asks us to end raises Ended; so does the death of our parent."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, on_signal)
    end_with_parent(signal.SIGTERM)


def on_signal(number, _frame):
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # We are ending already.
    raise Ended(number)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("-c", dest="settings", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("which command?")

    settings = {**SETTINGS, **(SETTINGS_FAST if arguments.fast else {})}
    settings.update(each.split("=", 1) for each in arguments.settings)
    end_on_signals()

    server = None
    try:
        server = Server(settings)
        server.start()
        return run(arguments.command, {"MILLRACE_TEST_POSTGRES": server.url()})
    except Failed as failure:
        sys.exit(f"with_postgres.py: {failure}")
    except Ended as ended:
        return 128 + ended.args[0]
    finally:
        if server:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
