#!/usr/bin/env python3
"""API keys on a real server: the first one, roles, revocation, failed attempts, silence of the log.

Usage: keys_test.py PROGRAM [unittest arguments]
"""

import json
import re
import subprocess
import sys
import threading
import unittest

from client import PATIENCE_SECONDS
from definitions import one_task
from event_stream import EventStream
from server import PostgresStore, ServerTestCase, SqliteStore, wait_until

ORDER = one_task("order")
FAILURES_MAX = 20  # kAuthFailuresMax
OTHER_REPLICA_SECONDS = 10  # Two, and patience for a busy machine.


def bearer(key, **headers):
    return {"Authorization": f"Bearer {key}", **headers}


class AccessTest(ServerTestCase):
    store_kind = SqliteStore

    def setUp(self):
        self.keys = []
        self.store = self.new_store(self.store_kind)

    def first_key(self):
        """Made while nobody is asked for one, as on a machine that is being set up."""
        server = self.new_server(self.store)
        key = self.created(server.client(), {}, name="ops", role="admin")
        server.stop()
        return key

    def test_the_first_key_is_made_in_the_store_itself(self):
        made = subprocess.run(
            [self.program, "--output", "json", "keys", "create", "ops", "--role", "admin", "--new",
             "--store", self.store.url],
            capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(made.returncode, 0, made)
        self.keys.append(json.loads(made.stdout)["key"])
        server = self.secured()
        self.assertFalse(any("No API key" in each for each in server.log_messages()))
        reply = server.client().call("GET", "/v1/whoami", None, bearer(self.keys[0]))
        self.assertEqual(reply.json()["name"], "ops", reply)

    def created(self, client, headers, **wanted):
        reply = client.call("POST", "/v1/keys", wanted, headers)
        self.assertEqual(reply.status, 201, reply)
        self.keys.append(reply.json()["key"])
        return reply.json()["key"]

    def secured(self, *options):
        return self.new_server(self.store, "--auth", "keys", *options)

    def expect_silence(self, server):
        """No key, and no secret of one, in any line."""
        self.assertGreater(len(server.log), 0)
        for line in server.log:
            for key in self.keys:
                self.assertNotIn(key, line)
                self.assertNotIn(key.split("_")[2], line)

    def test_asks_for_a_key_and_says_when_there_is_none(self):
        server = self.secured()
        self.assertTrue(any("No API key" in each for each in server.log_messages()), server.log)
        client = server.client()
        for path in ("/healthz", "/readyz"):
            self.assertEqual(client.call("GET", path).status, 200)
        reply = client.call("GET", "/v1/instances")
        self.assertEqual(reply.status, 401)
        self.assertEqual(reply.headers["WWW-Authenticate"], "Bearer")
        self.assertEqual(reply.json()["error"], "unauthorized")
        self.assertEqual(server.metrics_client().call("GET", "/metrics").status, 401)

    def test_roles_may_do_what_they_are_for(self):
        admin = self.first_key()
        server = self.secured()
        self.assertFalse(any("No API key" in each for each in server.log_messages()))
        client = server.client()
        keys = {role: self.created(client, bearer(admin), name=role, role=role)
                for role in ("viewer", "worker", "operator", "admin")}
        calls = [
            ("POST", "/v1/definitions", ORDER, {"operator", "admin"}),
            ("POST", "/v1/instances", {"definitionId": "order"}, {"operator", "admin"}),
            ("GET", "/v1/instances", None, {"viewer", "operator", "admin"}),
            ("POST", "/v1/jobs/poll", {"workerId": "w", "jobTypes": ["order"]},
             {"worker", "operator", "admin"}),
            ("GET", "/v1/keys", None, {"admin"}),
            ("GET", "/v1/whoami", None, set(keys)),
        ]
        for method, path, body, allowed in calls:
            for role, key in keys.items():
                with self.subTest(path=path, role=role):
                    reply = client.call(method, path, body, bearer(key))
                    self.assertEqual(reply.status in (200, 201), role in allowed, reply)
                    if role not in allowed:
                        self.assertEqual(reply.status, 403, reply)
        metrics = server.metrics_client()
        self.assertEqual(metrics.call("GET", "/metrics", None, bearer(keys["viewer"])).status, 200)
        self.assertEqual(metrics.call("GET", "/metrics", None, bearer(keys["worker"])).status, 403)
        server.stop()
        self.expect_silence(server)

    def test_a_key_of_a_workspace_stays_in_it(self):
        admin = self.first_key()
        server = self.secured()
        client = server.client()
        acme = self.created(client, bearer(admin), name="acme", role="operator", workspace="acme")
        self.assertEqual(client.call("POST", "/v1/definitions", ORDER, bearer(acme)).status, 201)
        reply = client.call("POST", "/v1/instances", {"definitionId": "order"}, bearer(acme))
        path = f"/v1/instances/{reply.json()['id']}"
        self.assertEqual(client.call("GET", path, None, bearer(acme)).status, 200)
        self.assertEqual(client.call("GET", path, None, bearer(admin)).status, 404)
        named = bearer(admin, **{"Millrace-Workspace": "acme"})
        self.assertEqual(client.call("GET", path, None, named).status, 200)
        other = bearer(acme, **{"Millrace-Workspace": "globex"})
        self.assertEqual(client.call("GET", path, None, other).status, 403)
        # Metrics are of all workspaces.
        metrics = server.metrics_client()
        self.assertEqual(metrics.call("GET", "/metrics", None, bearer(acme)).status, 403)
        self.assertEqual(metrics.call("GET", "/metrics", None, bearer(admin)).status, 200)

    def test_a_revoked_key_is_of_no_use_at_once(self):
        admin = self.first_key()
        server = self.secured()
        client = server.client()
        key = self.created(client, bearer(admin), name="ci", role="viewer")
        self.assertEqual(client.call("GET", "/v1/instances", None, bearer(key)).status, 200)
        path = f"/v1/keys/{key.split('_')[1]}"
        self.assertEqual(client.call("DELETE", path, None, bearer(admin)).status, 204)
        self.assertEqual(client.call("GET", "/v1/instances", None, bearer(key)).status, 401)
        self.assertEqual(client.call("DELETE", path, None, bearer(admin)).status, 204)
        server.stop()
        self.expect_silence(server)

    def test_a_poll_whose_key_is_revoked_gets_no_job(self):
        admin = self.first_key()
        server = self.secured()
        client = server.client()
        self.assertEqual(client.call("POST", "/v1/definitions", ORDER, bearer(admin)).status, 201)
        key = self.created(client, bearer(admin), name="w", role="worker")
        poll = {"workerId": "w", "jobTypes": ["order"], "waitSeconds": 60}
        replies = []
        waiting = threading.Thread(target=lambda: replies.append(
            server.client().call("POST", "/v1/jobs/poll", poll, bearer(key))))
        waiting.start()
        metrics = server.metrics_client()
        wait_until(lambda: re.search(
            r"^millrace_polls_parked\S* 1$",
            metrics.call("GET", "/metrics", None, bearer(admin)).text, re.MULTILINE), "the poll")
        path = f"/v1/keys/{key.split('_')[1]}"
        self.assertEqual(client.call("DELETE", path, None, bearer(admin)).status, 204)
        started = client.call("POST", "/v1/instances", {"definitionId": "order"}, bearer(admin))
        self.assertEqual(started.status, 201)
        waiting.join(PATIENCE_SECONDS)
        self.assertEqual([reply.status for reply in replies], [401], replies)
        jobs = client.call("POST", "/v1/jobs/poll", poll, bearer(admin)).json()["jobs"]
        self.assertEqual([job["instanceId"] for job in jobs], [started.json()["id"]])

    def test_a_stream_of_events_ends_with_its_key(self):
        admin = self.first_key()
        server = self.secured()
        self.expect_stream_ends_with_its_key(admin, server, server)

    def expect_stream_ends_with_its_key(self, admin, revoking, streaming):
        client = revoking.client()
        key = self.created(client, bearer(admin), name="screen", role="viewer")
        self.assertEqual(client.call("POST", "/v1/definitions", ORDER, bearer(admin)).status, 201)
        reply = client.call("POST", "/v1/instances", {"definitionId": "order"}, bearer(admin))
        path = f"/v1/instances/{reply.json()['id']}/events"
        streams = [EventStream(streaming.rest_port, path, bearer(each)) for each in (key, admin)]
        for stream in streams:
            self.addCleanup(stream.close)
            wait_until(lambda: stream.events, "an event")
        path = f"/v1/keys/{key.split('_')[1]}"
        self.assertEqual(client.call("DELETE", path, None, bearer(admin)).status, 204)
        wait_until(lambda: streams[0].has_ended, "the stream to end", OTHER_REPLICA_SECONDS)
        self.assertFalse(streams[1].has_ended)

    def test_too_many_failures_make_an_address_wait(self):
        admin = self.first_key()
        server = self.secured("--log-level", "debug")
        client = server.client()
        self.assertEqual(client.call("GET", "/v1/whoami", None, bearer(admin)).status, 200)
        wrong = admin[:-8] + "AAAAAAAA"
        unknown = "mr_000000000000_" + admin.split("_")[2]
        self.keys += [wrong, unknown]
        statuses = [client.call("GET", "/v1/whoami", None, bearer(each)).status
                    for each in [wrong, unknown] * FAILURES_MAX]
        self.assertEqual(set(statuses), {401, 429})
        self.assertGreaterEqual(statuses.count(401), FAILURES_MAX)
        reply = client.call("GET", "/v1/whoami", None, bearer(unknown))
        self.assertEqual(reply.status, 429, reply)
        self.assertGreaterEqual(int(reply.headers["Retry-After"]), 1)
        # A program that did nothing wrong is not punished for its neighbour.
        self.assertEqual(client.call("GET", "/v1/whoami", None, bearer(admin)).status, 200)
        metrics = server.metrics_client().call("GET", "/metrics", None, bearer(admin)).text
        self.assertIn('millrace_auth_failures_total{reason="wrong_secret"}', metrics)
        server.stop()
        self.expect_silence(server)

    def test_a_bad_key_stops_no_good_one_on_its_first_request(self):
        admin = self.first_key()
        self.expect_good_keys_to_pass(admin, self.secured(), None)

    def expect_good_keys_to_pass(self, admin, server, elsewhere):
        """At a server that has seen none of them at work, behind the address of a bad one."""
        client = server.client()
        bad = "mr_000000000000_" + admin.split("_")[2]
        self.keys.append(bad)
        wait_until(lambda: client.call("GET", "/v1/whoami", None, bearer(bad)).status == 429,
                   "the address to have to wait")
        making = (elsewhere or server).client()
        made = self.created(making, bearer(admin), name="new", role="viewer")
        wait_until(lambda: client.call("GET", "/v1/whoami", None, bearer(made)).status == 200,
                   "the new key to be heard of", OTHER_REPLICA_SECONDS)
        self.assertEqual(client.call("GET", "/v1/whoami", None, bearer(admin)).status, 200)
        self.assertEqual(client.call("GET", "/v1/whoami", None, bearer(bad)).status, 429)

    def test_without_authentication_it_stays_on_this_machine(self):
        with self.assertRaisesRegex(AssertionError, "--auth keys"):
            self.new_server(self.store, "--listen", "0.0.0.0")
        self.first_key()
        client = self.secured("--listen", "0.0.0.0").client()
        self.assertEqual(client.call("GET", "/v1/whoami").status, 401)


class PostgresAccessTest(AccessTest):
    store_kind = PostgresStore

    def test_a_revocation_reaches_other_servers(self):
        admin = self.first_key()
        here, there = self.secured().client(), self.secured().client()
        key = self.created(here, bearer(admin), name="ci", role="viewer")
        self.assertEqual(there.call("GET", "/v1/whoami", None, bearer(key)).status, 200)
        path = f"/v1/keys/{key.split('_')[1]}"
        self.assertEqual(here.call("DELETE", path, None, bearer(admin)).status, 204)
        wait_until(lambda: there.call("GET", "/v1/whoami", None, bearer(key)).status in (401, 429),
                   "the other server to hear of it", OTHER_REPLICA_SECONDS)

    def test_a_bad_key_stops_no_key_that_was_made_at_another_server(self):
        admin = self.first_key()
        self.expect_good_keys_to_pass(admin, self.secured(), self.secured())

    def test_a_stream_at_another_server_ends_with_its_key(self):
        admin = self.first_key()
        self.expect_stream_ends_with_its_key(admin, self.secured(), self.secured())


if __name__ == "__main__":
    ServerTestCase.program = sys.argv.pop(1)
    unittest.main()
