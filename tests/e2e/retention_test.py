#!/usr/bin/env python3
"""What has expired goes, what is open or kept stays, and partitions are there ahead of time.

Usage: retention_test.py PROGRAM [unittest arguments]
"""

import os
import subprocess
import sys
import unittest

from client import PATIENCE_SECONDS
from definitions import definition, one_task, step
from server import PostgresStore, ServerTestCase, SqliteStore, wait_until

# Nothing to wait for: over with its start.
SHORT = definition("short", step("done", "END"))
KEPT = definition("kept", step("done", "END"))
APPROVED = definition("approved", step("approve", "USER_TASK", nextStep="done"), step("done", "END"))


class RetentionTest:
    """The same on each store."""

    def serve(self, *options):
        self.server = self.new_server(self.store, *options)
        self.client = self.server.client()

    def setUp(self):
        self.store = self.new_store(self.store_kind)

    def upload(self, *definitions):
        for each in definitions:
            self.assertEqual(self.client.post("/v1/definitions", each).status, 201)

    def start(self, definition_id, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post("/v1/instances", {"definitionId": definition_id}, headers)

    def started(self, definition_id):
        reply = self.start(definition_id)
        self.assertEqual(reply.status, 201, reply)
        return reply.json()["id"]

    def status_of(self, instance_id):
        return self.client.get(f"/v1/instances/{instance_id}").status

    def wait_until_gone(self, instance_id):
        wait_until(lambda: self.status_of(instance_id) == 404, f"the end of {instance_id}")

    def metric(self, name):
        text = self.server.metrics_client().get("/metrics").text
        [line] = [line for line in text.splitlines() if line.startswith(name + " ")]
        return float(line.split()[1])

    def test_what_is_over_goes_and_what_is_open_or_kept_stays(self):
        self.serve("--retention", "PT1S,*/kept=keep")
        self.upload(SHORT, KEPT, APPROVED, one_task("open"))
        kept = self.started("kept")
        waiting = self.started("open")
        approved = self.started("approved")
        path = f"/v1/instances/{approved}/user-tasks/approve/complete"
        self.assertEqual(self.client.post(path, {}).status, 204)
        short = self.started("short")  # Last: when it is gone, the others had their time.
        self.wait_until_gone(short)
        self.wait_until_gone(approved)
        self.assertEqual(self.status_of(kept), 200)
        self.assertEqual(self.status_of(waiting), 200)
        self.assertEqual(self.client.get(f"/v1/instances/{short}/history").status, 404)
        self.assertEqual(self.client.get("/v1/user-tasks").json()["items"], [])
        self.assertEqual(self.metric("millrace_instances_removed_total"), 2)

        self.assertEqual(self.client.post(f"/v1/instances/{waiting}/cancel", {}).status, 200)
        self.wait_until_gone(waiting)
        self.assertEqual(self.status_of(kept), 200)

    def test_executions_that_have_ended_go_too(self):
        self.serve("--retention", "PT1S,*/kept=keep")
        self.upload(SHORT, KEPT, one_task("open"))
        kept, waiting, short = (self.enqueued(each) for each in ("kept", "open", "short"))
        wait_until(lambda: self.execution(short).status == 404, "the end of the execution")
        wait_until(lambda: self.execution(kept).json()["status"] == "COMPLETED", "the other's end")
        self.assertEqual(self.execution(waiting).json()["status"], "RUNNING")
        self.assertEqual(self.metric("millrace_executions_removed_total"), 1)

    def enqueued(self, definition_id):
        reply = self.client.post("/v1/workspaces/default/executions", {"definitionId": definition_id})
        self.assertEqual(reply.status, 202, reply)
        return reply.json()["id"]

    def execution(self, execution_id):
        return self.client.get(f"/v1/executions/{execution_id}")

    def test_what_expired_while_no_server_ran_goes_too(self):
        self.serve()
        self.upload(SHORT)
        short = self.started("short")
        self.assertEqual(self.server.stop(), 0)
        self.serve("--retention=default/short=PT1S")
        self.wait_until_gone(short)

    def test_a_repeated_start_does_not_start_again_what_is_gone(self):
        self.serve("--retention", "PT1S")
        self.upload(SHORT)
        first = self.start("short", Idempotency_Key="once")
        self.wait_until_gone(first.json()["id"])
        again = self.start("short", Idempotency_Key="once")
        self.assertEqual(again.status, 404)
        self.assertIn(first.json()["id"], again.json()["message"])
        self.assertEqual(self.client.get("/v1/instances").json()["items"], [])

    def test_audit_entries_go_by_rules_of_their_own(self):
        self.serve("--audit-retention", "PT1S,acme=keep")
        self.upload(SHORT)
        reply = self.client.post("/v1/definitions", SHORT, {"Millrace-Workspace": "acme"})
        self.assertEqual(reply.status, 201)
        short = self.started("short")
        wait_until(lambda: self.client.get("/v1/audit").json()["items"] == [], "an empty audit")
        self.assertEqual(self.metric("millrace_audit_entries_removed_total"), 2)
        self.assertEqual(self.status_of(short), 200)
        entries = self.client.get("/v1/audit", **{"Millrace-Workspace": "acme"}).json()["items"]
        self.assertEqual([entry["kind"] for entry in entries], ["DEFINITION_UPLOADED"])


class SqliteRetentionTest(RetentionTest, ServerTestCase):
    store_kind = SqliteStore

    def test_bad_rules_are_refused_by_name(self):
        for flag, rules, expected in (
                ("--retention", "P1D,acme=1d", '"acme=1d"'), ("--retention", "Acme=P1D", "workspace"),
                ("--audit-retention", "acme/order=P1D", "only a workspace")):
            with self.subTest(rules):
                done = subprocess.run(
                    [self.program, "serve", "--store", self.store.url, flag, rules],
                    capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn(flag, done.stderr)
                self.assertIn(expected, done.stderr)


class PostgresRetentionTest(RetentionTest, ServerTestCase):
    store_kind = PostgresStore

    def query(self, statement):
        done = subprocess.run(
            ["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-c", statement, self.store.url], check=True,
            capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        return done.stdout.split()

    def partitions(self):
        return self.query("SELECT inhrelid::regclass FROM pg_inherits "
                          "WHERE inhparent = 'step_execution'::regclass ORDER BY inhrelid::regclass::text")

    def test_a_missing_partition_is_made(self):
        self.serve()
        self.assertEqual(self.server.stop(), 0)
        before = self.partitions()
        lost = max(each for each in before if each[-1].isdigit())
        self.query(f"SELECT drop_partition('step_execution', '{lost}')")
        self.serve()
        wait_until(lambda: self.partitions() == before, f"the partition {lost}")
        self.assertEqual(self.metric("millrace_partitions_created_total"), 1)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
