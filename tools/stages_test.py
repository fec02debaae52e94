#!/usr/bin/env python3
"""Tests of stages.py: what it runs, what it remembers and what it prints."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

STAGES = pathlib.Path(__file__).resolve().parent / "stages.py"


class StagesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        subprocess.run(["git", "init", "--quiet"], cwd=self.tree, check=True)
        (self.tree / ".gitignore").write_text("memory\nlog\n", encoding="utf-8")

    def run_stages(self, *arguments, make_flags=""):
        done = subprocess.run([sys.executable, "-B", STAGES, *arguments], cwd=self.tree,
                              env={**os.environ, "MAKEFLAGS": make_flags}, stdout=subprocess.PIPE, text=True)
        outcomes = dict(re.findall(r"^  (\w+) +(?:-|[\d,]+ s)  (.+)$", done.stdout, re.MULTILINE))
        return done.returncode, outcomes

    def noted(self):
        log = self.tree / "log"
        return log.read_text(encoding="utf-8").split() if log.exists() else []

    def test_runs_all_in_order_and_tells_how_long_each_took(self):
        status, outcomes = self.run_stages("title", "one=echo 1 >>log", "two=echo 2 >>log")
        self.assertEqual((status, outcomes), (0, {"one": "passed", "two": "passed"}))
        self.assertEqual(self.noted(), ["1", "2"])

    def test_stops_at_the_first_failure_and_still_prints_the_table(self):
        status, outcomes = self.run_stages("title", "one=true", "two=exit 3", "three=echo 3 >>log")
        self.assertEqual(status, 1)
        self.assertEqual(outcomes, {"one": "passed", "two": "failed (3)", "three": "not run"})
        self.assertEqual(self.noted(), [])

    def test_goes_on_where_it_stopped(self):
        stages = ["--resume", "memory", "title", "one=echo 1 >>log", "two=test -e mended"]
        self.assertEqual(self.run_stages(*stages)[0], 1)
        (self.tree / ".gitignore").write_text("memory\nlog\n", encoding="utf-8")  # No change.
        status, outcomes = self.run_stages(*stages[:-1], "two=true")
        self.assertEqual((status, outcomes), (0, {"one": "passed before", "two": "passed"}))
        self.assertEqual(self.noted(), ["1"])

    def test_runs_all_again_when_a_file_has_changed(self):
        stages = ["--resume", "memory", "title", "one=echo 1 >>log"]
        self.run_stages(*stages)
        (self.tree / "new").write_text("not even committed", encoding="utf-8")
        self.assertEqual(self.run_stages(*stages)[1], {"one": "passed"})
        self.assertEqual(self.noted(), ["1", "1"])

    def test_make_dash_n_runs_and_remembers_nothing(self):
        stages = ["--resume", "memory", "title", "one=echo 1 >>log"]
        self.assertEqual(self.run_stages(*stages, make_flags="n --no-print-directory"), (0, {}))
        self.assertEqual(self.noted(), [])
        self.assertEqual(self.run_stages(*stages, make_flags=" --no-print-directory")[1], {"one": "passed"})


if __name__ == "__main__":
    unittest.main()
