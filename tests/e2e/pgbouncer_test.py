#!/usr/bin/env python3
"""Servers behind a PgBouncer that pools transactions.

Usage: pgbouncer_test.py PROGRAM [unittest arguments]
MILLRACE_STRIKES: how often PgBouncer is restarted (3). MILLRACE_SEED: repeats the dice of a run.

Goal: without prepared statements everything works there, a restart of PgBouncer loses nothing, and
whoever forgets the setting is told of it.
Method: a real PgBouncer with one server connection and with four; all that a process needs once, and
the load of the other faults with the checker at its end.
"""

import os
import random
import subprocess
import sys
import unittest

import faults
from client import PATIENCE_SECONDS
from cluster import Cluster
from cutting_proxy import CuttingProxy
from definitions import definition, one_task, step, task, timer
from load import Load, judge, seed_of_run
from pgbouncer import PgBouncer
from postgres import Postgres
from server import ServerTestCase, wait_until

STRIKES = int(os.environ.get("MILLRACE_STRIKES", "3"))
ANSWERS_BETWEEN = 60
UNPREPARED = ("--postgres-prepared-statements", "false")
PEOPLE = definition(
    "people",
    task("wait", "nobody", "done", boundaryEvents=[timer("PT1S", "approve", True)]),
    step("approve", "USER_TASK", assignee="ann", nextStep="done"), step("done", "END"))


class Store:
    def __init__(self, url):
        self.url = url


class PgBouncerTestCase(ServerTestCase):
    def setUp(self):
        self.database = Postgres()
        self.addCleanup(self.database.stop)
        self.database.start()

    def new_pooler(self, pool_size, database_folder=None):
        pooler = PgBouncer(database_folder or self.database.directory, pool_size)
        self.addCleanup(pooler.stop)
        return pooler.start()

    def strike_under(self, load, strike, dice):
        load.start()
        for _ in range(STRIKES):
            load.await_answers(dice.randint(1, ANSWERS_BETWEEN))
            strike(dice)
        load.await_answers(ANSWERS_BETWEEN)
        load.finish()
        self.assertEqual(judge(load)[:20], [])
        for server in load.cluster.servers:
            self.assertEqual(server.stop(), 0)

    def new_load(self, url, seed):
        return Load(Cluster([self.new_server(Store(url), *UNPREPARED) for _ in range(2)]), seed)


class PgBouncerTest(PgBouncerTestCase):
    def call(self, method, path, body=None, status=200):
        reply = self.client.call(method, path, body)
        self.assertEqual(reply.status, status, reply)
        return reply.json() if reply.body else None

    def walk_through_all(self, pool_size):
        pooler = self.new_pooler(pool_size)
        server = self.new_server(Store(pooler.url()), *UNPREPARED)
        self.client = server.client()
        self.do_a_job()
        self.wait_and_ask_people()
        self.assertGreater(len(self.call("GET", "/v1/audit")["items"]), 0)
        self.assertEqual(self.call("GET", "/v1/instances?status=COMPLETED")["total"], 2)
        self.assertEqual(self.call("GET", "/v1/definitions")["total"], 2)
        self.assertEqual(server.stop(), 0)
        self.assertEqual([each for each in server.log if "does not do as asked" in each], [])

    def do_a_job(self):
        self.call("POST", "/v1/definitions", one_task("pooled"), 201)
        started = self.call("POST", "/v1/instances", {"definitionId": "pooled"}, 201)
        poll = {"workerId": "w", "jobTypes": ["pooled"], "waitSeconds": 10}
        job = self.call("POST", "/v1/jobs/poll", poll)["jobs"][0]
        self.call("POST", f"/v1/jobs/{job['id']}/complete",
                  {"workerId": "w", "leaseToken": job["leaseToken"]}, 204)
        self.await_end(started["id"])

    def wait_and_ask_people(self):
        self.call("POST", "/v1/definitions", PEOPLE, 201)
        started = self.call("POST", "/v1/instances", {"definitionId": "people"}, 201)
        found = wait_until(lambda: self.call("GET", "/v1/user-tasks?assignee=ann")["items"], "a task")
        self.call("POST", f"/v1/user-tasks/{found[0]['id']}/complete", {"userId": "ann"}, 204)
        self.await_end(started["id"])

    def await_end(self, instance_id):
        wait_until(lambda: self.call("GET", f"/v1/instances/{instance_id}")["status"] == "COMPLETED",
                   "the end")

    def test_one_connection_is_enough(self):
        self.walk_through_all(1)

    def test_four_connections(self):
        self.walk_through_all(4)

    def test_who_forgets_the_setting_is_told(self):
        pooler = self.new_pooler(1)
        server = self.new_server(Store(pooler.url()))
        server.client().post("/v1/definitions", one_task("forgotten"))
        wait_until(lambda: any("Set postgres.preparedStatements to false" in line
                               for line in server.log), "the hint")

    def test_the_doctor_sees_the_pooler(self):
        pooler = self.new_pooler(2)
        done = subprocess.run(
            [self.program, "doctor", "--store", pooler.url()], capture_output=True, text=True,
            timeout=PATIENCE_SECONDS, check=False)
        self.assertRegex(done.stdout, r"WARNING\s+pooler\s+Connections go through a pooler")
        self.assertIn("postgres.preparedStatements", done.stdout)


class PgBouncerFaultsTest(PgBouncerTestCase):
    def setUp(self):
        super().setUp()
        self.seed = seed_of_run()

    def test_pgbouncer_is_restarted(self):
        pooler = self.new_pooler(4)
        load = self.new_load(pooler.url(), self.seed)
        self.strike_under(load, lambda _: pooler.restart(), random.Random(self.seed))

    def test_a_commit_behind_pgbouncer_is_cut(self):
        proxy = CuttingProxy(self.database.directory)
        self.addCleanup(proxy.stop)
        pooler = self.new_pooler(4, f"127.0.0.1 port={proxy.port}")
        load = self.new_load(pooler.url(), self.seed)
        cut = faults.CommitCut(proxy)
        self.strike_under(load, cut.strike, random.Random(self.seed))
        self.assertEqual(sum(proxy.cuts.values()), STRIKES)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
