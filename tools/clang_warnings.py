#!/usr/bin/env python3
"""Lets clang look at our files, each alone, without making code: warnings are errors.

Usage: clang_warnings.py BUILD [--changed]

BUILD is a configured folder of the preset clang. With --changed only the files that the latest change
touches are looked at (tools/changed_files.py). A file that only compiles because another one stands
before it in its unit fails here, too.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

from changed_files import ROOT, changed_files

FILES_MAX = 120  # Of a change, newest first: some four minutes on two cores. `make clang` takes all.


def commands(build):
    """The command for each of our files, by its name below the root."""
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    ours = {}
    for entry in entries:
        path = pathlib.Path(entry["file"])
        if not path.is_relative_to(ROOT) or path.is_relative_to(build):
            continue
        words = shlex.split(entry["command"])
        if words[0].endswith("ccache"):
            words = words[1:]
        out = words.index("-o")
        words = words[:out] + words[out + 2:]
        ours[str(path.relative_to(ROOT))] = (words + ["-fsyntax-only"], entry["directory"])
    return ours


def look(command):
    words, folder = command
    return subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--changed", action="store_true")
    arguments = parser.parse_args()
    known = commands(arguments.build.resolve())
    files = list(known)
    if arguments.changed:
        touched = [each for each in changed_files() if each in known]
        files = touched[:FILES_MAX]
        print(f"clang: {len(files)} of {len(touched)} files that the change touches")
    jobs = int(os.environ.get("JOBS", os.cpu_count()))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        failures = [each for each in pool.map(look, [known[file] for file in files])
                    if each.returncode != 0]
    for failure in failures:
        sys.stdout.write(failure.stdout)
    if failures:
        sys.exit(f"clang: {len(failures)} of {len(files)} files have warnings")


if __name__ == "__main__":
    main()
