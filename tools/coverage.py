#!/usr/bin/env python3
"""Prints which share of each folder's lines the tests reached.

Usage: coverage.py BUILD. BUILD is a build directory of the preset `coverage` whose tests have run.
The lines of every file that were never reached go to BUILD/coverage.txt.
"""

import collections
import json
import pathlib
import subprocess
import sys

FILES_PER_CALL = 50


def counts_of(build, root):
    """Maps each of our source files to {line: how often it ran}."""
    lines = collections.defaultdict(collections.Counter)
    notes = sorted(str(path.resolve()) for path in build.rglob("*.gcda"))
    for start in range(0, len(notes), FILES_PER_CALL):
        chunk = notes[start : start + FILES_PER_CALL]
        reply = subprocess.run(
            ["gcov", "--json-format", "--stdout", *chunk], capture_output=True, check=True, cwd=build
        )
        for document in reply.stdout.splitlines():
            for file in json.loads(document)["files"]:
                path = pathlib.Path(file["file"])
                path = path if path.is_absolute() else build.resolve() / path
                path = path.resolve()
                if not path.is_relative_to(root) or path.is_relative_to(build.resolve()):
                    continue
                for line in file["lines"]:
                    lines[path.relative_to(root)][line["line_number"]] += line["count"]
    return lines


def is_product(path):
    return path.parts[0] in ("src", "sdk") and not path.stem.endswith("_test")


def main():
    build = pathlib.Path(sys.argv[1])
    root = pathlib.Path(__file__).resolve().parent.parent
    files = {path: lines for path, lines in counts_of(build, root).items() if is_product(path)}

    folders = collections.defaultdict(lambda: [0, 0])
    with open(build / "coverage.txt", "w", encoding="utf-8") as report:
        for path in sorted(files):
            missed = sorted(line for line, count in files[path].items() if count == 0)
            folders[path.parent][0] += len(files[path]) - len(missed)
            folders[path.parent][1] += len(files[path])
            report.writelines(f"{path}:{line}: not reached\n" for line in missed)

    for folder in sorted(folders):
        reached, total = folders[folder]
        print(f"{100 * reached / total:6.1f} %  {reached:6} of {total:6}  {folder}")
    reached = sum(pair[0] for pair in folders.values())
    total = sum(pair[1] for pair in folders.values())
    print(f"{100 * reached / max(total, 1):6.1f} %  {reached:6} of {total:6}  all")
    print(f"Lines that were not reached: {build / 'coverage.txt'}")


if __name__ == "__main__":
    main()
