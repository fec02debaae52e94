#!/usr/bin/env python3
"""Builds the program that holds locks by the library ShedLock, once, and keeps it in the cache directory.

Usage: shedlock_program.py

Prints the class path of LockHolder, which is tests/shedlock. What is there is not built again and
needs no network; two builds at once wait for each other. The libraries come from Maven's registry.
"""

import os
import shutil

from cached_programs import ROOT, Failed, cache_directory, content_of, print_paths, run, say, working_directory

FOLDER = ROOT / "tests/shedlock"


def place():
    """Where it is kept, under what its files say."""
    return cache_directory() / "shedlock" / content_of(FOLDER)


def class_path():
    """Builds it first when it is not there."""
    kept = place()
    if not kept.exists():
        build(kept)
    return f"{kept}/classes:{kept}/libraries/*"


def build(kept):
    with working_directory(kept.parent) as work:
        if kept.exists():
            return
        say("Building LockHolder for tests, once")
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


if __name__ == "__main__":
    print_paths("shedlock_program.py", lambda: [class_path()])
