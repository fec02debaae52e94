#!/usr/bin/env python3
"""Lets clang look at our files, each alone, without making code: warnings are errors.

Usage: clang_warnings.py BUILD [--changed]

BUILD is a configured folder of the preset clang. With --changed only what the latest change touches is
looked at: what differs from origin/main, or where that is nothing, what came within a day of the last
commit. A file that only compiles because another one stands before it in its unit fails here, too.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES_MAX = 120  # Of a change, newest first: some four minutes on two cores. `make clang` takes all.


def git(*arguments):
    answer = subprocess.run(["git", "-C", ROOT, *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True)
    return answer.stdout.split() if answer.returncode == 0 else []


def base_of_change():
    base = git("merge-base", "HEAD", "origin/main")
    if base and base != git("rev-parse", "HEAD"):
        return base[0]
    committed_at = git("log", "-1", "--format=%ct")
    before = git("rev-list", "-1", f"--before={int(committed_at[0]) - 86_400}", "HEAD")
    return before[0] if before else None


def changed_files():
    """The .cpp files of the change, the latest commit's first."""
    base = base_of_change()
    if base is None:
        return []
    files = git("diff", "--name-only", "--diff-filter=d", "HEAD", "--", "*.cpp")
    files += git("log", "--name-only", "--diff-filter=d", "--format=", f"{base}..HEAD", "--", "*.cpp")
    return [each for each in dict.fromkeys(files) if (ROOT / each).exists()]


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
