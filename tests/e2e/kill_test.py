#!/usr/bin/env python3
"""Kills the server with SIGKILL under load, again and again, and asks for every promise it made.

Usage: kill_test.py PROGRAM [unittest arguments]
MILLRACE_KILLS: how often (8). MILLRACE_SEED: repeats the dice of an earlier run.

Goal: every acknowledged instance finishes, every step of it took effect once, and an instance whose
start was never answered either does not exist or finished too.
Method: clients start instances, workers complete them, fail them or die with them, while a killer
ends the server after some acknowledgements and starts it again on the same store. At the end the
checker compares histories with the definitions and with all that was acknowledged.
"""

import os
import random
import sys
import unittest

from cluster import Cluster
from load import Load, judge, seed_of_run
from server import PostgresStore, ServerTestCase, SqliteStore

KILLS = int(os.environ.get("MILLRACE_KILLS", "8"))


class KillTest:
    """The one scenario; the classes below say on which store."""

    store_kind = None

    def test_kill_9_under_load_loses_nothing_and_does_nothing_twice(self):
        seed = seed_of_run()
        server = self.new_server(self.new_store(self.store_kind))
        load = Load(Cluster([server]), seed)
        load.start()
        dice = random.Random(seed)
        for _ in range(KILLS):
            load.await_answers(dice.randint(20, 120))
            server.kill()
            server.start()
        load.finish()
        self.assertEqual(judge(load)[:20], [])
        self.assertGreater(len(load.starts), KILLS)
        self.assertEqual(server.stop(), 0)


class SqliteKillTest(KillTest, ServerTestCase):
    store_kind = SqliteStore


class PostgresKillTest(KillTest, ServerTestCase):
    store_kind = PostgresStore


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
