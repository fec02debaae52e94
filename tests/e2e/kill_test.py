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
import pathlib
import random
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checker"))

import shipment
from checker import Observed, check
from client import PATIENCE_SECONDS, Lost
from server import PostgresStore, ServerTestCase, SqliteStore, wait_until

KILLS = int(os.environ.get("MILLRACE_KILLS", "8"))
CLIENTS = 2
WORKERS = 4
INSTANCES_OPEN_MAX = 40  # More only makes a loaded machine slower, not the test harder.
FAIL_SHARE = 0.1
DIE_SHARE = 0.02
LEASE_SECONDS = 5
FINISH_SECONDS = 240


class Load:
    """Clients and workers as threads, and what they were told."""

    def __init__(self, server, seed):
        self.server = server
        self.seed = seed
        self.acknowledged = set()
        self.completed_jobs = set()
        self.deliveries = []
        self.answers = threading.Semaphore(0)  # One for each acknowledgement.
        self.problems = []
        self._is_starting = True
        self._is_working = True
        self._room = threading.Semaphore(INSTANCES_OPEN_MAX)
        self._clients = []
        self._workers = []

    def start(self):
        self._clients = [self._run(self._start_instances, each) for each in range(CLIENTS)]
        self._workers = [self._run(self._work, each) for each in range(WORKERS)]

    def stop_starting(self):
        self._is_starting = False
        self._room.release(CLIENTS)
        self._join(self._clients)

    def stop_working(self):
        self._is_working = False
        self._join(self._workers)

    @staticmethod
    def _join(threads):
        for thread in threads:
            thread.join(2 * PATIENCE_SECONDS)
        assert not any(thread.is_alive() for thread in threads), "A thread does not end."

    def _run(self, target, number):
        def guarded():
            try:
                target(f"{target.__name__} {number}")
            except Exception as error:  # pylint: disable=broad-except
                self.problems.append(repr(error))
                raise
        thread = threading.Thread(target=guarded, daemon=True)
        thread.start()
        return thread

    def _start_instances(self, name):
        client = self.server.client()
        count = 0
        while self._is_starting:
            self._room.acquire()
            count += 1
            body = {"definitionId": "shipment", "businessKey": f"{name} {count}",
                    "variables": shipment.start_variables(f"{name} {count}")}
            try:
                reply = client.post("/v1/instances", body)
            except Lost:
                self.server.ready.wait(PATIENCE_SECONDS)
                self._room.release()
                continue
            assert reply.status == 201, reply
            self.acknowledged.add(reply.json()["id"])
            self.answers.release()

    def _work(self, name):
        dice = random.Random(f"{self.seed} {name}")
        client = self.server.client()
        poll = {"workerId": name, "jobTypes": shipment.JOB_TYPES, "waitSeconds": 1,
                "leaseSeconds": LEASE_SECONDS}
        while self._is_working:
            try:
                reply = client.post("/v1/jobs/poll", {**poll, "maxJobs": dice.randint(1, 8)})
            except Lost:
                self.server.ready.wait(PATIENCE_SECONDS)
                continue
            assert reply.status == 200, reply
            for job in reply.json()["jobs"]:
                self.deliveries.append((job["id"], job["leaseToken"]))
                self._handle(client, job, dice.random())

    def _handle(self, client, job, luck):
        if luck < DIE_SHARE:
            return  # As if this worker had died: the lease has to run out.
        body = {"workerId": job["workerId"], "leaseToken": job["leaseToken"]}
        path = f"/v1/jobs/{job['id']}"
        if luck < DIE_SHARE + FAIL_SHARE:
            failure = {**body, "errorMessage": "a bad day", "retryable": True}
            self._call_until_answered(client, path + "/fail", failure)
            return
        body["variables"] = shipment.mark(job)
        if self._call_until_answered(client, path + "/complete", body) != 204:
            return  # The lease was lost, and somebody else does it.
        self.completed_jobs.add(job["id"])
        self.answers.release()
        if job["stepId"] == "bill":
            self._room.release()

    def _call_until_answered(self, client, path, body):
        while True:
            try:
                reply = client.post(path, body)
            except Lost:
                self.server.ready.wait(PATIENCE_SECONDS)
                continue
            assert reply.status in (204, 409), (path, body, reply)
            return reply.status


def read_back(server):
    """All instances and their histories, as Observed has them."""
    client = server.client()
    instances = {}
    page = 0
    while items := client.get(f"/v1/instances?pageSize=500&page={page}").json()["items"]:
        instances.update((each["id"], each) for each in items)
        page += 1
    histories = {
        each: client.get(f"/v1/instances/{each}/history").json()["items"] for each in instances}
    return instances, histories


class KillTest:
    """The one scenario; the classes below say on which store."""

    store_kind = None

    def test_kill_9_under_load_loses_nothing_and_does_nothing_twice(self):
        seed = os.environ.get("MILLRACE_SEED") or str(random.SystemRandom().randrange(10**9))
        print(f"MILLRACE_SEED={seed} MILLRACE_KILLS={KILLS}", flush=True)
        server = self.new_server(self.new_store(self.store_kind))
        for each in (shipment.SHIPMENT, shipment.INVOICE):
            self.assertEqual(server.client().post("/v1/definitions", each).status, 201)
        load = Load(server, seed)
        load.start()
        self.kill_again_and_again(server, load, random.Random(seed))
        load.stop_starting()
        client = server.client()
        wait_until(lambda: load.problems or self.open_count(client) == 0,
                   "all instances to end", FINISH_SECONDS)
        load.stop_working()
        self.assertEqual(load.problems, [])
        self.judge(server, load)
        self.assertEqual(server.stop(), 0)

    def kill_again_and_again(self, server, load, dice):
        for _ in range(KILLS):
            for _ in range(dice.randint(20, 120)):
                is_alive = load.answers.acquire(timeout=PATIENCE_SECONDS)
                self.assertTrue(is_alive and not load.problems, ("No answers.", load.problems))
            server.kill()
            while load.answers.acquire(blocking=False):
                pass
            server.start()

    @staticmethod
    def open_count(client):
        return sum(client.get(f"/v1/instances?status={status}&pageSize=1").json()["total"]
                   for status in ("ACTIVE", "WAITING"))

    def judge(self, server, load):
        instances, histories = read_back(server)
        variables = {
            each["id"]: shipment.expected_variables(each, histories) for each in instances.values()}
        violations = check(Observed(
            definitions={(each["id"], 1): each for each in (shipment.SHIPMENT, shipment.INVOICE)},
            instances=instances, histories=histories, acknowledged=frozenset(load.acknowledged),
            completed_jobs=frozenset(load.completed_jobs), deliveries=tuple(load.deliveries),
            variables=variables))
        print(f"{len(load.acknowledged)} starts and {len(load.completed_jobs)} completions "
              f"acknowledged, {len(instances)} instances.", flush=True)
        self.assertEqual(violations, [], "\n".join(map(str, violations[:20])))
        names = [each["businessKey"] for each in instances.values() if "businessKey" in each]
        self.assertEqual(len(names), len(set(names)), "A start took effect twice.")
        self.assertGreater(len(load.acknowledged), KILLS)


class SqliteKillTest(KillTest, ServerTestCase):
    store_kind = SqliteStore


class PostgresKillTest(KillTest, ServerTestCase):
    store_kind = PostgresStore


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
