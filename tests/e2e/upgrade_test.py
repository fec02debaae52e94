#!/usr/bin/env python3
"""Upgrades a cluster under load, replica by replica.

Usage: upgrade_test.py PROGRAM EARLIER [unittest arguments]
EARLIER is the program of the previous version (tools/earlier_program.sh).

Goal: the previous version and this one work side by side on one database, and nothing is lost or
done twice on the way from one to the other.
Method: two servers of the previous version carry a load; one of this version joins, which migrates
the schema under them; each version is shown to serve; then the earlier ones go, one stopped, one
killed, and the checker compares histories with all that was acknowledged.
"""

import os
import sys
import unittest

import definitions
from client import PATIENCE_SECONDS, Client
from cluster import Cluster
from load import Load, judge, seed_of_run
from server import PostgresStore, Server, ServerTestCase

EARLIER = ""
ANSWERS_BETWEEN = 100
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class EarlierServer(Server):
    """One whose answers are not held to what this version promises."""

    def client(self, timeout=PATIENCE_SECONDS, tls=None):
        return self._keep(Client(lambda: self.rest_port, timeout, contract=None, tls=tls))


class UpgradeTest(ServerTestCase):
    def new_earlier(self, store):
        server = EarlierServer(EARLIER, store)
        server.start()
        self.addCleanup(server.discard)
        return server

    def test_both_versions_work_side_by_side(self):
        store = self.new_store(PostgresStore)
        first, second = self.new_earlier(store), self.new_earlier(store)
        cluster = Cluster([first, second])
        load = Load(cluster, seed_of_run())
        load.start()
        load.await_answers(ANSWERS_BETWEEN)

        upgraded = self.new_server(store)
        cluster.servers.append(upgraded)
        load.await_answers(ANSWERS_BETWEEN)
        for server in (first, second, upgraded):
            self.run_one_task(server)
        self.run_one_task(first, worker_at=upgraded)
        self.run_one_task(upgraded, worker_at=second)

        self.assertEqual(first.stop(), 0)
        cluster.servers.append(self.new_server(store))
        load.await_answers(ANSWERS_BETWEEN)
        second.kill()
        load.await_answers(ANSWERS_BETWEEN)
        load.finish()
        self.assertEqual(judge(load)[:20], [])

    def test_the_earlier_version_refuses_to_start_on_the_new_schema(self):
        store = self.new_store(PostgresStore)
        self.new_server(store)
        with self.assertRaisesRegex(AssertionError, "which this program does not know"):
            self.new_earlier(store)

    def run_one_task(self, server, worker_at=None):
        """Starts an instance at one server, and does its one task at another."""
        worker = (worker_at or server).client()
        workspace = {"Millrace-Workspace": "side-by-side"}
        client = server.client()
        reply = client.call("POST", "/v1/definitions", definitions.one_task("side"), workspace)
        self.assertIn(reply.status, (200, 201))
        # The earlier version knows nothing of traces, and must not mind them.
        started = client.call("POST", "/v1/instances", {"definitionId": "side"},
                              {**workspace, "traceparent": TRACE})
        self.assertEqual(started.status, 201)
        poll = {"workerId": "w", "jobTypes": ["side"], "waitSeconds": 10, "maxJobs": 1}
        [job] = worker.call("POST", "/v1/jobs/poll", poll, workspace).json()["jobs"]
        self.assertEqual(job["instanceId"], started.json()["id"])
        done = worker.call("POST", f"/v1/jobs/{job['id']}/complete", {"workerId": "w"}, workspace)
        self.assertEqual(done.status, 204)
        path = f"/v1/instances/{job['instanceId']}"
        self.assertEqual(client.call("GET", path, None, workspace).json()["status"], "COMPLETED")


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    EARLIER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
