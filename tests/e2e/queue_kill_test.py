#!/usr/bin/env python3
"""Breaks servers and their database while executions wait, are let in and run.

Usage: queue_kill_test.py PROGRAM [unittest arguments]
MILLRACE_STRIKES: how often (3). MILLRACE_SEED: repeats the dice of an earlier run.

Goal: whatever dies, no limit is exceeded at any moment, every acknowledged execution runs to its end
and no other, nothing starts twice, no workspace starves and no slot is left.
Method: clients enqueue into four workspaces with limits, keys, weights and priorities, workers carry
chains of two instances out, fail or die, while a fault strikes again and again. Triggers record every
move in the queue. At the end checkers compare the record, histories and answers.
"""

import os
import random
import sys
import unittest

import faults
from cluster import Cluster
from load import seed_of_run
from postgres import Postgres
from queue_checker import Fairness
from queue_load import QueueLoad, judge_queue
from queue_record import begin_record, count_open, read_record
from server import Server, ServerTestCase

STRIKES = int(os.environ.get("MILLRACE_STRIKES", "3"))
REPLICAS = 8
ANSWERS_BETWEEN = 60  # At most, between two strikes.
NET = ("--dispatcher-poll-interval", "1")
# A look everywhere each second, which may fall together with the loss of its server. A frozen server
# keeps its locks for ten.
SERVER_LOST = Fairness(seconds=3)
SERVER_FROZEN = Fairness(seconds=13)


class Store:
    def __init__(self, url):
        self.url = url


class QueueKillTestCase(ServerTestCase):
    def setUp(self):
        self.seed = seed_of_run()
        self.dice = random.Random(self.seed)

    def new_load(self, store, replicas):
        begin_record(self.program, store)
        servers = [Server(self.program, store, *NET) for _ in range(replicas)]
        for each in servers:
            self.addCleanup(each.discard)
            each.start()
        load = QueueLoad(Cluster(servers), self.seed)
        load.start()
        return load

    def strike(self, load, *all_faults):
        for fault in all_faults:
            load.await_answers(self.dice.randint(1, ANSWERS_BETWEEN))
            print(type(fault).__name__, flush=True)
            fault.strike(self.dice)
        load.await_answers(ANSWERS_BETWEEN)
        load.finish()

    def judge(self, load, store, fairness):
        def stop_and_read():
            for each in load.cluster.servers:
                self.assertEqual(each.stop(), 0)
            self.assertEqual(count_open(store), 0)
            return read_record(store)

        self.assertEqual(judge_queue(load, stop_and_read, fairness)[:20], [])
        self.assertGreater(len(load.accepted), STRIKES)


class Killed:
    """kill -9 of the only server there is."""

    def __init__(self, server):
        self._server = server

    def strike(self, _dice):
        self._server.kill()
        self._server.start()


class SqliteQueueKillTest(QueueKillTestCase):
    def test_one_server_is_killed_again_and_again(self):
        store = self.new_store()
        load = self.new_load(store, 1)
        self.strike(load, *[Killed(load.cluster.servers[0])] * STRIKES)
        self.judge(load, store, SERVER_LOST)


class PostgresQueueKillTest(QueueKillTestCase):
    def setUp(self):
        super().setUp()
        self.database = Postgres(max_connections=300)
        self.addCleanup(self.database.stop)
        self.database.start()
        self.store = Store(self.database.url())

    def test_eight_servers_and_their_database_are_struck(self):
        load = self.new_load(self.store, REPLICAS)
        cluster = load.cluster
        kinds = [faults.ReplicaKilled(cluster, load), faults.DatabaseRestarted(self.database),
                 faults.ReplicaRestarted(cluster), faults.BackendKilled(self.database),
                 faults.BackendsTerminated(self.database)]
        chosen = kinds + [self.dice.choice(kinds) for _ in range(STRIKES - len(kinds))]
        self.dice.shuffle(chosen)
        self.strike(load, faults.ReplicaFrozen(cluster, load), *chosen[:STRIKES])
        self.judge(load, self.store, SERVER_FROZEN)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
