#!/usr/bin/env python3
"""Runs commands one after the other and prints how long each took.

Usage: stages.py [--resume FOLDER] TITLE NAME=COMMAND...

The first command that fails ends the run, with exit code 1; the table is printed all the same.
With --resume, a stage that has passed on the very same tree is not run again: FOLDER remembers what
passed, under the hash of all files that git tracks or would track.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time


def tree_hash():
    """One hash for the content of the working tree, committed or not."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "GIT_INDEX_FILE": os.path.join(folder, "index")}
        subprocess.run(["git", "add", "--all"], env=environment, check=True)
        tree = subprocess.run(["git", "write-tree"], env=environment, check=True,
                              stdout=subprocess.PIPE, text=True)
        return tree.stdout.strip()


class Memory:
    """What has passed on this tree, and how long it took then."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder) / tree_hash() if folder else None

    def passed(self, name):
        if self.folder is None or not (self.folder / name).exists():
            return None
        return float((self.folder / name).read_text(encoding="utf-8"))

    def note(self, name, seconds):
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(f"{seconds:.0f}", encoding="utf-8")


def is_dry_run():
    """Whether `make -n` has called: it runs lines that name $(MAKE), and every stage would seem to pass."""
    flags = os.environ.get("MAKEFLAGS", "").split(" ", 1)[0]
    return "=" not in flags and not flags.startswith("-") and "n" in flags


def run(stages, memory):
    """Yields name, seconds and outcome of each stage until one fails."""
    for name, command in stages:
        before = memory.passed(name)
        if before is not None:
            yield name, before, "passed before"
            continue
        print(f"==> {name}", flush=True)
        began = time.monotonic()
        status = subprocess.run(["bash", "-euo", "pipefail", "-c", command]).returncode
        seconds = time.monotonic() - began
        if status == 0:
            memory.note(name, seconds)
        yield name, seconds, "passed" if status == 0 else f"failed ({status})"
        if status != 0:
            return


def table(title, stages, rows):
    done = {name for name, _, _ in rows}
    rows = rows + [(name, None, "not run") for name, _ in stages if name not in done]
    total = sum(seconds for _, seconds, _ in rows if seconds is not None)
    width = max(len(name) for name, _, _ in rows + [("total", 0, "")])
    lines = [title]
    for name, seconds, outcome in [*rows, ("total", total, "")]:
        shown = "-" if seconds is None else f"{seconds:,.0f} s"
        lines.append(f"  {name:<{width}}  {shown:>8}  {outcome}".rstrip())
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--resume", metavar="FOLDER")
    parser.add_argument("title")
    parser.add_argument("stages", nargs="+", metavar="NAME=COMMAND")
    arguments = parser.parse_args()
    stages = [tuple(each.split("=", 1)) for each in arguments.stages]
    if is_dry_run():
        print("\n".join(command for _, command in stages))
        return
    rows = list(run(stages, Memory(arguments.resume)))
    print(table(arguments.title, stages, rows), flush=True)
    if len(rows) < len(stages) or "failed" in rows[-1][2]:
        sys.exit(1)


if __name__ == "__main__":
    main()
