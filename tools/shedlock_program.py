#!/usr/bin/env python3
"""Builds the program that holds locks by the library ShedLock, once, and keeps it in the cache directory.

Usage: shedlock_program.py

Prints the class path of LockHolder, which is tests/shedlock. What is there is not built again and
needs no network; two builds at once wait for each other. The libraries come from Maven's registry.
"""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import signal
import sys

from temporal_programs import ROOT, Failed, cache_directory, run

FOLDER = ROOT / "tests/shedlock"


def place():
    """Where it is kept, under what its files say."""
    content = hashlib.sha256()
    for path in sorted(FOLDER.iterdir()):
        content.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return cache_directory() / "shedlock" / content.hexdigest()[:16]


def class_path():
    """Builds it first when it is not there."""
    kept = place()
    if not kept.exists():
        build(kept)
    return f"{kept}/classes:{kept}/libraries/*"


@contextlib.contextmanager
def working_directory(folder):
    """An empty folder, which nobody else has meanwhile and which goes however we end."""
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


def build(kept):
    with working_directory(kept.parent) as work:
        if kept.exists():
            return
        print("Building LockHolder for tests, once", file=sys.stderr, flush=True)
        for program in ("mvn", "javac"):
            if not shutil.which(program):
                raise Failed(f"there is no {program} here: tools/setup.sh test installs it.")
        fresh = work / "fresh"
        run(["mvn", "--batch-mode", "--quiet", "--file", FOLDER / "pom.xml",
             f"-Dmaven.repo.local={work / 'repository'}", "dependency:copy-dependencies",
             f"-DoutputDirectory={fresh / 'libraries'}"])
        run(["javac", "--release", "17", "-cp", f"{fresh}/libraries/*", "-d", fresh / "classes",
             FOLDER / "LockHolder.java"])
        os.replace(fresh, kept)  # Whole, or not at all.


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        print(class_path())
    except (OSError, Failed) as error:
        sys.exit(f"shedlock_program.py: {error}")


if __name__ == "__main__":
    main()
