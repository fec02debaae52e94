#!/usr/bin/env python3
"""A worker that cannot name a workspace, as those of other engines, serves all of them: the jobs of
none wait behind the flood of another, and its reports find their jobs.

Usage: workers_of_all_test.py PROGRAM [unittest arguments]
"""

import sys
import threading
import unittest

from definitions import one_task
from server import PostgresStore, ServerTestCase, SqliteStore, wait_until

FLOOD = 300
FEW = 5
TENANTS = ("acme", "bolt", "cord")


def of(workspace):
    return {"Millrace-Workspace": workspace}


class WorkersOfAllCase:
    store_type = None

    def setUp(self):
        self.store = self.new_store(self.store_type)
        self.server = self.new_server(self.store)
        self.client = self.server.client()
        for tenant in TENANTS:
            reply = self.client.post("/v1/definitions", one_task("order"), of(tenant))
            self.assertEqual(reply.status, 201, reply)

    def start(self, tenant, count):
        instances = [{"definitionId": "order"}] * count
        reply = self.client.post("/v1/instances:batch", {"instances": instances}, of(tenant))
        self.assertEqual({each["status"] for each in reply.json()["results"]}, {201})

    def poll(self, client, headers=None, **fields):
        reply = client.post("/v1/jobs/poll", {
            "workerId": "w1", "jobTypes": ["order"], "waitSeconds": 0, **fields}, headers)
        self.assertEqual(reply.status, 200, reply)
        return reply.json()["jobs"]

    def complete(self, client, job, headers=None):
        return client.post(f"/v1/jobs/{job['id']}/complete",
                           {"workerId": "w1", "leaseToken": job["leaseToken"]}, headers).status

    def completed(self, tenant):
        return self.client.get("/v1/instances?status=COMPLETED&pageSize=1",
                               **of(tenant)).json()["total"]

    def test_a_flood_of_one_tenant_starves_no_other(self):
        self.start("acme", FLOOD)
        for tenant in ("bolt", "cord"):
            self.start(tenant, FEW)
        served = []
        while len(served) < FLOOD + 2 * FEW:
            jobs = self.poll(self.client, maxJobs=1)
            self.assertEqual(len(jobs), 1, f"after {len(served)}")
            served.append(jobs[0]["workspaceId"])
            self.assertEqual(self.complete(self.client, jobs[0]), 204)
        for tenant in ("bolt", "cord"):
            last = max(place for place, name in enumerate(served) if name == tenant)
            self.assertLess(last, FEW * len(TENANTS), f"{tenant}: {served[:50]}")
        self.assertEqual({tenant: self.completed(tenant) for tenant in TENANTS},
                         {"acme": FLOOD, "bolt": FEW, "cord": FEW})

    def test_one_answer_is_shared(self):
        self.start("acme", FLOOD)
        self.start("bolt", 2)
        names = [job["workspaceId"] for job in self.poll(self.client, maxJobs=10)]
        self.assertEqual((names.count("acme"), names.count("bolt")), (8, 2))

    def test_a_waiting_poll_gets_what_any_tenant_starts(self):
        got = []
        for tenant in TENANTS:
            client = self.server.client()
            thread = threading.Thread(
                target=lambda worker=client: got.extend(self.poll(worker, waitSeconds=30)))
            thread.start()
            wait_until(lambda: self.waiting_polls() == 1, "a poll that waits")
            self.start(tenant, 1)
            thread.join()
        self.assertEqual([job["workspaceId"] for job in got], list(TENANTS))

    def waiting_polls(self):
        text = self.server.metrics_client().get("/metrics").text
        return next(int(float(line.split()[1])) for line in text.splitlines()
                    if line.startswith("millrace_polls_parked "))

    def test_a_report_finds_its_job_also_after_a_restart(self):
        for tenant in TENANTS:
            self.start(tenant, 1)
        jobs = self.poll(self.client, maxJobs=3)
        self.assertEqual(sorted(job["workspaceId"] for job in jobs), list(TENANTS))
        self.server.stop()
        self.server.start()
        self.client = self.server.client()
        reply = self.client.post(f"/v1/jobs/{jobs[0]['id']}/extend", {"workerId": "w1"})
        self.assertEqual(reply.status, 200, reply)
        for job in jobs:
            other = next(tenant for tenant in TENANTS if tenant != job["workspaceId"])
            self.assertEqual(self.complete(self.client, job, of(other)), 404)
            self.assertEqual(self.complete(self.client, job), 204)
            self.assertEqual(self.complete(self.client, job), 204, "again")
        self.assertEqual([self.completed(tenant) for tenant in TENANTS], [1, 1, 1])

    def test_who_names_a_workspace_gets_jobs_of_it_alone(self):
        for tenant in TENANTS:
            self.start(tenant, 2)
        names = {job["workspaceId"] for job in self.poll(self.client, of("bolt"))}
        self.assertEqual(names, {"bolt"})
        self.assertEqual(self.poll(self.client, of("default")), [])
        self.assertEqual(len(self.poll(self.client)), 4)


class SqliteWorkersOfAllTest(WorkersOfAllCase, ServerTestCase):
    store_type = SqliteStore


class PostgresWorkersOfAllTest(WorkersOfAllCase, ServerTestCase):
    store_type = PostgresStore

    def test_jobs_and_reports_cross_from_one_server_to_another(self):
        there = self.new_server(self.store).client()
        got = []
        thread = threading.Thread(
            target=lambda: got.extend(self.poll(there, waitSeconds=30, maxJobs=1)))
        thread.start()
        self.start("cord", 1)
        thread.join()
        self.assertEqual([job["workspaceId"] for job in got], ["cord"])
        self.assertEqual(self.complete(self.client, got[0]), 204, "by the other server")
        self.assertEqual(self.completed("cord"), 1)


if __name__ == "__main__":
    ServerTestCase.program = sys.argv.pop(1)
    unittest.main()
