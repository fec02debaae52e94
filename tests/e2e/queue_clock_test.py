#!/usr/bin/env python3
"""Lets a server join whose clock is an hour wrong.

Usage: queue_clock_test.py PROGRAM PRELOAD [unittest arguments]
PRELOAD is the library of tests/support/skewed_clock.c.

Goal: servers on one PostgreSQL take the time from it: whatever their own clocks say, limits hold,
everything ends, and what is delayed starts neither early nor an hour late.
Method: a right server and a wrong one, whose clock is ahead or behind, under the load and before the
checkers of queue_kill_test.py; then delays, with both of them and with the wrong one alone.
"""

import datetime
import json
import os
import sys
import unittest

from cluster import Caller, Cluster
from definitions import definition, step
from load import seed_of_run
from queue_kill_test import NET, SERVER_LOST
from queue_load import QueueLoad, judge_queue
from queue_record import begin_record, count_open, read_record
from server import PostgresStore, Server, ServerTestCase, wait_until
from times import instant

PRELOAD = ""
HOUR = 3600
ANSWERS = 200
DELAY = datetime.timedelta(seconds=3)
LATE_MAX = datetime.timedelta(seconds=10)  # What falls due is looked for every two, on a busy machine.
QUICK = definition("quick", step("done", "END"))


class SkewedStore:
    """The same database, for a server with a wrong clock."""

    def __init__(self, store, seconds):
        self.url = store.url
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        self.environment = {"LD_PRELOAD": PRELOAD, "MILLRACE_TEST_CLOCK_SECONDS": str(seconds),
                            "ASAN_OPTIONS": sanitizer}


def now():
    return datetime.datetime.now(datetime.timezone.utc)


class ClockScenario:
    seconds = 0

    def setUp(self):
        self.store = self.new_store(PostgresStore)
        begin_record(self.program, self.store)
        self.right = self.new_server(self.store, *NET)
        self.wrong = self.new_server(SkewedStore(self.store, self.seconds), *NET)
        self.cluster = Cluster([self.right, self.wrong])
        self.seed = seed_of_run()

    def test_its_own_clock_is_wrong(self):
        """Else nothing here proves anything."""
        told = [instant(json.loads(each.log[-1])["time"]) for each in (self.right, self.wrong)]
        skew = (told[1] - told[0]).total_seconds()
        self.assertLess(abs(skew - self.seconds), 60, told)

    def test_limits_hold_and_everything_ends(self):
        load = QueueLoad(self.cluster, self.seed)
        load.start()
        load.await_answers(ANSWERS)
        load.finish()

        def stop_and_read():
            for each in self.cluster.servers:
                self.assertEqual(each.stop(), 0)
            self.assertEqual(count_open(self.store), 0)
            return read_record(self.store)

        self.assertEqual(judge_queue(load, stop_and_read, SERVER_LOST)[:20], [])

    def test_delays_are_kept(self):
        caller = Caller(self.cluster, self.seed)
        self.assertEqual(
            caller.post("/v1/workspaces", {"id": "later", "plan": "UNLIMITED"}).status, 201)
        self.assertEqual(caller.post("/v1/workspaces/later/definitions", QUICK).status, 201)
        self.expect_delays(self.right, self.wrong)
        self.assertEqual(self.right.stop(), 0)
        self.expect_delays(self.wrong)

    def expect_delays(self, *servers):
        soon, later = now() + DELAY, now() + datetime.timedelta(minutes=30)
        for each in servers:
            client = each.client()
            ids = [self.enqueue(client, at) for at in (soon, soon, later)]
            for one in ids[:2]:
                over = wait_until(lambda one=one: self.completed(client, one), "the end of a delay")
                began = instant(over["dispatchedAt"])
                self.assertGreaterEqual(began, soon, "It began early.")
                self.assertLess(began - max(soon, instant(over["createdAt"])), LATE_MAX)
                self.assertLess(now() - began, LATE_MAX, "Its times are not those of the database.")
            waiting = client.get(f"/v1/executions/{ids[2]}").json()
            self.assertEqual(waiting["queueStatus"], "PENDING")
            self.assertLess(abs((now() - instant(waiting["createdAt"])).total_seconds()), 60)

    def enqueue(self, client, not_before):
        reply = client.post("/v1/workspaces/later/executions",
                            {"definitionId": "quick", "notBefore": not_before.isoformat()})
        self.assertEqual(reply.status, 202, reply)
        return reply.json()["id"]

    @staticmethod
    def completed(client, execution_id):
        execution = client.get(f"/v1/executions/{execution_id}").json()
        return execution if execution["queueStatus"] == "COMPLETED" else None


class ClockAheadTest(ClockScenario, ServerTestCase):
    seconds = HOUR


class ClockBehindTest(ClockScenario, ServerTestCase):
    seconds = -HOUR


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    PRELOAD = os.path.abspath(sys.argv.pop(1))
    unittest.main()
