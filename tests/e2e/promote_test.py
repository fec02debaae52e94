#!/usr/bin/env python3
"""Moves a store with work in it from SQLite to PostgreSQL with `millrace promote`.

Usage: promote_test.py PROGRAM [unittest arguments]
MILLRACE_SEED: repeats the dice of an earlier run.

Goal: workers and clients notice a pause and nothing else: every instance that was acknowledged on
either store finishes, every step of it took effect once.
Method: the server of a load is stopped or killed, its store promoted, and a server started on
PostgreSQL in its place. The promotion is killed, too, and called again.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import unittest

from cli_case import CliTestCase
from client import PATIENCE_SECONDS
from cluster import Cluster
from definitions import one_task
from load import Load, judge, seed_of_run
from server import PostgresStore, ServerTestCase, SqliteStore, end_with_parent, wait_until

ANSWERS_BEFORE = 150
ANSWERS_BEHIND = 50
KILLS = 4
SECONDS_TO_KILL = 0.04  # At most, the first time; then twice as long each time.


def files_of(folder):
    """All files with their bytes, but the lock, which holds the number of a process."""
    return {each.name: each.read_bytes() for each in pathlib.Path(folder).iterdir()
            if each.suffix != ".lock"}


class PromoteUnderLoad:
    """The one scenario; the classes below say how the server ends."""

    def test_promotion_under_load_loses_nothing_and_does_nothing_twice(self):
        seed = seed_of_run()
        source = self.new_store(SqliteStore)
        target = self.new_store(PostgresStore)
        server = self.new_server(source)
        load = Load(Cluster([server]), seed)
        load.start()
        load.await_answers(ANSWERS_BEFORE)
        self.end(server)
        before = files_of(source.path.parent)
        dice = random.Random(seed)
        for attempt in range(KILLS):
            self.promote_and_kill(source, target, dice.random() * SECONDS_TO_KILL * 2**attempt)
        self.assertTrue(self.is_promoted(source, target))
        self.assertEqual(files_of(source.path.parent), before, "The source was touched.")
        server.move_to(target)
        server.start()
        load.await_answers(ANSWERS_BEHIND)
        load.finish()
        self.assertEqual(judge(load)[:20], [])
        self.assertEqual(server.stop(), 0)

    def end(self, server):
        raise NotImplementedError

    def start_promotion(self, source, target):
        return subprocess.Popen(
            [self.program, "promote", "--from", source.url, "--to", target.url],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            preexec_fn=end_with_parent)

    def promote_and_kill(self, source, target, seconds):
        with self.start_promotion(source, target) as process:
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()

    def is_promoted(self, source, target):
        """Whether it ends well now, or did so before a kill came."""
        with self.start_promotion(source, target) as process:
            said, _ = process.communicate(timeout=PATIENCE_SECONDS)
        print(said, flush=True)
        return process.returncode == 0 or "The target is not empty" in said


class PromoteStoppedTest(PromoteUnderLoad, ServerTestCase):
    def end(self, server):
        self.assertEqual(server.stop(), 0)


class PromoteKilledTest(PromoteUnderLoad, ServerTestCase):
    def end(self, server):
        server.kill()


class PromoteCommandTest(CliTestCase):
    """What a person sees."""

    def setUp(self):
        super().setUp()
        self.source = self.new_store(SqliteStore)
        self.target = self.new_store(PostgresStore)

    def promote(self, source, target, *options, expect=0):
        return self.millrace("promote", "--from", source, "--to", target, *options, expect=expect)

    def fill(self):
        server = self.new_server(self.source)
        client = server.client()
        self.assertEqual(client.post("/v1/definitions", one_task("parcel")).status, 201)
        for _ in range(3):
            self.assertEqual(client.post("/v1/instances", {"definitionId": "parcel"}).status, 201)
        return server

    def test_it_tells_what_it_has_moved(self):
        self.assertEqual(self.fill().stop(), 0)
        told = json.loads(self.promote(self.source.url, self.target.url, "--output", "json").stdout)
        rows = {each["table"]: each["rows"] for each in told["tables"]}
        self.assertEqual((rows["definition"], rows["instance"], rows["job"]), (1, 3, 3))
        self.assertTrue(all(len(each["checksum"]) == 16 for each in told["tables"]))
        self.assertNotIn("postgres", told["from"])
        server = self.new_server(self.target)
        poll = {"workerId": "w", "jobTypes": ["parcel"], "maxJobs": 10}
        self.assertEqual(len(server.client().post("/v1/jobs/poll", poll).json()["jobs"]), 3)
        self.assertEqual(server.stop(), 0)
        again = self.promote(self.source.url, self.target.url, expect=1)
        self.assertIn("The target is not empty", again.stderr)

    def test_a_running_server_is_in_the_way(self):
        self.fill()
        self.assertIn("in use by process",
                      self.promote(self.source.url, self.target.url, expect=1).stderr)

    def test_so_is_one_on_the_target(self):
        self.assertEqual(self.fill().stop(), 0)
        server = self.new_server(self.target)
        metrics = server.metrics_client()
        wait_until(lambda: "millrace_replicas_alive 1" in metrics.get("/metrics").text,
                   "the server to say that it lives")
        refused = self.promote(self.source.url, self.target.url, expect=1)
        self.assertIn("runs on the target", refused.stderr)
        self.assertEqual(server.stop(), 0)
        self.promote(self.source.url, self.target.url)

    def test_what_cannot_be_promoted(self):
        missing = f"sqlite:{self.directory}/nothing.db"
        self.assertIn("no database", self.promote(missing, self.target.url, expect=2).stderr)
        self.assertIn("--from", self.promote("here.db", self.target.url, expect=2).stderr)
        self.assertIn("--to", self.promote(missing, "sqlite:there.db", expect=2).stderr)
        self.assertEqual(self.fill().stop(), 0)
        nowhere = "postgresql://nobody@127.0.0.1:1/nothing"
        self.assertIn("goes on there", self.promote(self.source.url, nowhere, expect=3).stderr)

    def test_no_server_starts_on_a_part(self):
        self.assertEqual(self.fill().stop(), 0)
        self.promote(self.source.url, self.target.url)
        subprocess.run(["psql", "-qX", "-c", "CREATE TABLE store_promotion (source text)",
                        self.target.url], check=True, timeout=PATIENCE_SECONDS)
        with self.assertRaisesRegex(AssertionError, "millrace promote"):
            self.new_server(self.target)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
