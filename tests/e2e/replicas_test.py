#!/usr/bin/env python3
"""Two real servers on one PostgreSQL: what one commits reaches the other at once, and one follows
the other in the duties that one does for all.

Usage: replicas_test.py PROGRAM [unittest arguments]
"""

import sys
import threading
import time
import unittest

from definitions import one_task
from server import PostgresStore, ServerTestCase, wait_until

NET_SECONDS = 2  # How soon a server would look by itself.
TAKEOVER_SECONDS = 10 + 3  # A lease and a beat.
ROUNDS = 5


class ReplicasTest(ServerTestCase):
    def setUp(self):
        self.store = self.new_store(PostgresStore)
        self.headers = {}

    def series(self, server, name):
        """The value of a series without labels."""
        reply = server.metrics_client().call("GET", "/metrics", None, self.headers)
        self.assertEqual(reply.status, 200, reply)
        return next(int(float(line.split()[1])) for line in reply.text.splitlines()
                    if line.startswith(f"{name} "))

    def wait_for(self, server, name, value, patience=60):
        wait_until(lambda: self.series(server, name) == value, f"{name} {value}", patience)

    def two_servers(self, *options):
        servers = [self.new_server(self.store, *options) for _ in range(2)]
        for server in servers:
            self.wait_for(server, "millrace_replicas_alive", 2)
        return servers

    def holder_and_other(self):
        servers = self.two_servers()
        wait_until(lambda: any(self.series(each, "millrace_duty_lease_held") for each in servers),
                   "a holder of the lease")
        return sorted(servers, key=lambda each: -self.series(each, "millrace_duty_lease_held"))

    def test_a_job_reaches_a_worker_at_another_server_at_once(self):
        here, there = self.two_servers()
        client = here.client()
        self.assertEqual(client.post("/v1/definitions", one_task("order")).status, 201)
        took = []
        for _ in range(ROUNDS):
            reply = {}

            def poll():
                reply["jobs"] = there.client().post("/v1/jobs/poll", {
                    "workerId": "w", "jobTypes": ["order"], "waitSeconds": 60}).json()["jobs"]
                reply["at"] = time.monotonic()

            worker = threading.Thread(target=poll)
            worker.start()
            self.wait_for(there, "millrace_polls_parked", 1)
            began = time.monotonic()
            self.assertEqual(client.post("/v1/instances", {"definitionId": "order"}).status, 201)
            worker.join()
            self.assertEqual(len(reply["jobs"]), 1)
            took.append(reply["at"] - began)
        self.assertLess(sorted(took)[ROUNDS // 2], NET_SECONDS / 2, took)
        self.assertGreater(self.series(there, "millrace_hints_received_total"), 0)

    def test_a_server_alone_sends_no_hints(self):
        server = self.new_server(self.store)
        self.wait_for(server, "millrace_replicas_alive", 1)
        sent = self.series(server, "millrace_hints_sent_total")
        client = server.client()
        client.post("/v1/definitions", one_task("order"))
        for _ in range(ROUNDS):
            self.assertEqual(client.post("/v1/instances", {"definitionId": "order"}).status, 201)
        self.assertLessEqual(self.series(server, "millrace_hints_sent_total"), max(sent, 1))

    def test_a_killed_holder_is_followed_within_seconds(self):
        holder, other = self.holder_and_other()
        holder.kill()
        began = time.monotonic()
        self.wait_for(other, "millrace_duty_lease_held", 1)
        # And patience for a busy machine.
        self.assertLess(time.monotonic() - began, 2 * TAKEOVER_SECONDS)
        self.wait_for(other, "millrace_replicas_alive", 1)
        self.assertIn("Another replica is gone.", other.log_messages())

    def test_a_holder_that_stops_hands_over_at_once(self):
        holder, other = self.holder_and_other()
        self.assertEqual(holder.stop(), 0)
        began = time.monotonic()
        self.wait_for(other, "millrace_duty_lease_held", 1)
        self.assertLess(time.monotonic() - began, TAKEOVER_SECONDS / 2)

    def test_a_revoked_key_is_refused_elsewhere_as_soon_as_the_hint_is_there(self):
        opened = self.new_server(self.store)
        admin = opened.client().post("/v1/keys", {"name": "ops", "role": "admin"}).json()["key"]
        opened.stop()
        self.headers = {"Authorization": f"Bearer {admin}"}
        here, there = self.two_servers("--auth", "keys")
        key = here.client().post("/v1/keys", {"name": "ci", "role": "viewer"},
                                 self.headers).json()["key"]
        asked = there.client()
        bearer = {"Authorization": f"Bearer {key}"}
        wait_until(lambda: asked.call("GET", "/v1/whoami", None, bearer).status == 200, "the key")
        heard = self.series(there, "millrace_hints_received_total")
        self.assertEqual(asked.call("GET", "/v1/whoami", None, bearer).status, 200)
        path = f"/v1/keys/{key.split('_')[1]}"
        self.assertEqual(here.client().call("DELETE", path, None, self.headers).status, 204)
        wait_until(lambda: self.series(there, "millrace_hints_received_total") > heard, "the hint")
        self.assertEqual(asked.call("GET", "/v1/whoami", None, bearer).status, 401)


if __name__ == "__main__":
    ServerTestCase.program = sys.argv.pop(1)
    unittest.main()
