#!/usr/bin/env python3
"""Eight replicas claim jobs of one database at once.

Usage: eight_replicas_test.py PROGRAM [unittest arguments]
MILLRACE_JOBS: how many (600). MILLRACE_SEED: repeats the dice of an earlier run.

Goal: no job is delivered twice, none is left, and every step takes effect once.
Method: a backlog is made first. Then two workers for each replica begin at once, ask for different
numbers of jobs and keep none: nothing is failed, no lease runs out, so every job has one delivery.
"""

import collections
import os
import random
import sys
import threading
import unittest

import definitions
from client import PATIENCE_SECONDS
from cluster import Cluster
from load import Load, Observed, check, read_back, seed_of_run
from server import PostgresStore, ServerTestCase

JOBS = int(os.environ.get("MILLRACE_JOBS", "600"))
REPLICAS = 8
WORKERS = 2 * REPLICAS
BATCH = 100
LEASE_SECONDS = 300
DEFINITION = definitions.one_task("contended")


class Worker(threading.Thread):
    """Works through its own replica until nothing is left."""

    def __init__(self, number, server, seed, barrier):
        super().__init__(daemon=True)
        self.deliveries = []
        self.completions = []
        self._name = f"worker {number}"
        self._client = server.client()
        self._dice = random.Random(f"{seed} {number}")
        self._barrier = barrier
        self.start()

    def run(self):
        self._barrier.wait(PATIENCE_SECONDS)
        while jobs := self._poll():
            for job in jobs:
                self.deliveries.append((job["id"], job["leaseToken"]))
                body = {"workerId": self._name, "leaseToken": job["leaseToken"]}
                reply = self._client.post(f"/v1/jobs/{job['id']}/complete", body)
                assert reply.status == 204, reply
                self.completions.append((job["id"], job["leaseToken"]))

    def _poll(self):
        reply = self._client.post("/v1/jobs/poll", {
            "workerId": self._name, "jobTypes": ["contended"], "waitSeconds": 2,
            "leaseSeconds": LEASE_SECONDS, "maxJobs": self._dice.randint(1, 8)})
        assert reply.status == 200, reply
        return reply.json()["jobs"]


class EightReplicasTest(ServerTestCase):
    def start_instances(self, client):
        self.assertEqual(client.post("/v1/definitions", DEFINITION).status, 201)
        starts = []
        for first in range(0, JOBS, BATCH):
            keys = [str(each) for each in range(first, min(first + BATCH, JOBS))]
            items = [{"definitionId": "contended", "businessKey": each, "idempotencyKey": each}
                     for each in keys]
            results = client.post("/v1/instances:batch", {"instances": items}).json()["results"]
            starts += [(key, each["instance"]["id"]) for key, each in zip(keys, results)]
        return starts

    def test_no_job_is_delivered_twice(self):
        seed = seed_of_run()
        store = self.new_store(PostgresStore)
        servers = [self.new_server(store) for _ in range(REPLICAS)]
        starts = self.start_instances(servers[0].client())
        barrier = threading.Barrier(WORKERS)
        workers = [
            Worker(each, servers[each % REPLICAS], seed, barrier) for each in range(WORKERS)]
        for worker in workers:
            worker.join(4 * PATIENCE_SECONDS)
        deliveries = [each for worker in workers for each in worker.deliveries]
        completions = [each for worker in workers for each in worker.completions]
        busy = sum(bool(each.deliveries) for each in workers)
        print(f"{len(deliveries)} deliveries to {busy} workers.", flush=True)
        self.assertGreaterEqual(busy, REPLICAS, "They did not compete.")
        twice = [each for each, n in collections.Counter(deliveries).items() if n > 1]
        self.assertEqual(twice, [])
        self.assertEqual(len({job for job, _ in deliveries}), JOBS)
        self.assertEqual(len(deliveries), JOBS, "A job went to two workers.")

        instances, histories = read_back(Load(Cluster(servers), seed).caller("judge"))
        violations = check(Observed(
            definitions={("contended", 1): DEFINITION}, instances=instances, histories=histories,
            starts=tuple(starts), completions=tuple(completions), deliveries=tuple(deliveries)))
        self.assertEqual(violations[:20], [])
        self.assertEqual(len(instances), JOBS)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
