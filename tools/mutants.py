#!/usr/bin/env python3
"""Tests the simulator: breaks one rule of the engine after the other, and expects it to notice.

Usage: mutants.py [--seeds N] [--jobs N] [--only NAME[,NAME...]]

A mutant is a file of tests/simulation/mutants: the path of a source file, the rule that it breaks, the exact old
text, which stands there once, and the new one. Each is applied alone to a copy of the tree in build/mutants, the
simulator is built there and run. A mutant that survives all seeds, or no longer applies, or does not compile, is a
failure; so is a simulator that complains of the program as it is.
"""

import argparse
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "simulation" / "mutants"
TREES = ROOT / "build" / "mutants"
PROGRAM = pathlib.Path("build/release/tests/simulation/simulator/millrace_simulate")
RUN_SECONDS_MAX = 600
MUTANT = re.compile(r"path: (?P<path>[^\n]+)\nrule: (?P<rule>[^\n]+)\nold:\n(?P<old>.*)\nnew:\n(?P<new>.*)", re.DOTALL)


class Mutant:
    def __init__(self, file):
        self.name = file.stem
        match = MUTANT.fullmatch(file.read_text(encoding="utf-8"))
        if match is None:
            raise ValueError(f"{file} is not a mutant: path, rule, old, new")
        self.path, self.rule, self.old = match["path"], match["rule"], match["old"]
        self.new = match["new"].removesuffix("\n")

    def applied(self, text):
        """The text with the rule broken, or None when the old text does not stand there once."""
        return text.replace(self.old, self.new) if text.count(self.old) == 1 else None


class Verdict:
    def __init__(self, is_found, sentence, seconds=0.0):
        self.is_found = is_found
        self.sentence = sentence
        self.seconds = seconds


def copy_tree(tree):
    """Brings a copy of all files that git knows up to date. Files that are the same keep their time."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.splitlines()
    for name in listed:
        source, target = ROOT / name, tree / name
        if not source.is_file():
            target.unlink(missing_ok=True)
        elif not target.is_file() or source.read_bytes() != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)


def build(tree, jobs):
    environment = dict(os.environ, JOBS=str(jobs), CCACHE_BASEDIR=str(tree), CCACHE_NOHASHDIR="1")
    return subprocess.run([tree / "tools/build.sh", "release", "millrace_simulate"], cwd=tree, env=environment,
                          capture_output=True, text=True, check=False)


def run(tree, seeds):
    """What the simulator finds within so many seeds: a sentence, or None."""
    command = [tree / PROGRAM, "--seed", "1", "--seeds", str(seeds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                              timeout=RUN_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        return "it does not come to an end"
    if done.returncode == 0:
        return None
    told = re.search(r"^Seed (\d+) failed after \d+ steps: (.*)$", done.stdout, re.MULTILINE)
    if told:
        return f"seed {told[1]}: {told[2]}"
    last = (done.stderr.strip().splitlines() or ["no word"])[-1]
    return f"it ends by itself ({done.returncode}): {last}"


def judge(mutant, tree, seeds):
    source = tree / mutant.path
    text = source.read_text(encoding="utf-8") if source.is_file() else ""
    broken = mutant.applied(text)
    if broken is None:
        return Verdict(False, f"its old text does not stand once in {mutant.path}")
    source.write_text(broken, encoding="utf-8")
    try:
        built = build(tree, 1)
        if built.returncode != 0:
            errors = [line for line in built.stdout.splitlines() if "error" in line]
            return Verdict(False, "it does not compile: " + (errors or ["?"])[0])
        sentence = run(tree, seeds)
    finally:
        source.write_text(text, encoding="utf-8")
    return Verdict(sentence is not None, sentence or f"it survives {seeds} seeds")


def work(tree, waiting, verdicts, seeds):
    while True:
        try:
            mutant = waiting.get_nowait()
        except queue.Empty:
            return
        began = time.monotonic()
        verdict = judge(mutant, tree, seeds)
        verdict.seconds = time.monotonic() - began
        verdicts[mutant.name] = verdict
        print(f"{'found' if verdict.is_found else 'NOT FOUND':10}{mutant.name:34}{verdict.seconds:5.0f} s  "
              f"{verdict.sentence[:110]}", flush=True)


def prepare(trees, jobs, seeds):
    """Builds the program as it is, and sees that nothing is found in it."""
    for tree in trees:
        copy_tree(tree)
        built = build(tree, jobs)
        if built.returncode != 0:
            sys.exit("The simulator does not compile:\n" + built.stdout[-4000:])
    sentence = run(trees[0], seeds)
    if sentence is not None:
        sys.exit(f"The simulator finds something in the program as it is, {sentence}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=1000, help="within which each mutant is to be found")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants under way at once")
    parser.add_argument("--only", help="names, with commas between them")
    arguments = parser.parse_args()

    mutants = [Mutant(file) for file in sorted(FOLDER.glob("*.txt"))]
    if arguments.only:
        mutants = [each for each in mutants if each.name in arguments.only.split(",")]
    began = time.monotonic()
    trees = [TREES / str(number) for number in range(min(arguments.jobs, len(mutants)))]
    prepare(trees, arguments.jobs, arguments.seeds)
    print(f"Nothing is found in the program as it is ({time.monotonic() - began:.0f} s).", flush=True)

    waiting = queue.Queue()
    for mutant in mutants:
        waiting.put(mutant)
    verdicts = {}
    threads = [threading.Thread(target=work, args=(tree, waiting, verdicts, arguments.seeds)) for tree in trees]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    failed = [mutant.name for mutant in mutants if not verdicts[mutant.name].is_found]
    print(f"{len(mutants) - len(failed)} of {len(mutants)} mutants found in {time.monotonic() - began:.0f} s.")
    if failed:
        sys.exit("Not found: " + ", ".join(failed))


if __name__ == "__main__":
    main()
