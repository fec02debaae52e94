#!/usr/bin/env python3
"""Prints the C++ source files that the latest change touches, the newest first.

Usage: changed_files.py

The change is what differs from origin/main; where that is nothing, as in a clone of main, it is what
came within four hours of the last commit. Files that are not committed yet come first.
"""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOUR_HOURS = 4 * 3_600


def git(*arguments):
    answer = subprocess.run(["git", "-C", ROOT, *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True)
    return answer.stdout.split() if answer.returncode == 0 else []


def base_of_change():
    """The commit before the change; None when all of the history is the change."""
    base = git("merge-base", "HEAD", "origin/main")
    if base and base != git("rev-parse", "HEAD"):
        return base[0]
    committed_at = git("log", "-1", "--format=%ct")
    before = git("rev-list", "-1", f"--before={int(committed_at[0]) - FOUR_HOURS}", "HEAD")
    return before[0] if before else None


def changed_files():
    base = base_of_change()
    commits = f"{base}..HEAD" if base else "HEAD"
    files = git("diff", "--name-only", "--diff-filter=d", "HEAD", "--", "*.cpp")
    files += git("log", "--name-only", "--diff-filter=d", "--format=", commits, "--", "*.cpp")
    return [each for each in dict.fromkeys(files) if (ROOT / each).exists()]


if __name__ == "__main__":
    print("\n".join(changed_files()))
