#!/usr/bin/env python3
"""The audit log of a server with keys: each kind once per action, by whom, and nothing secret.

Usage: audit_test.py PROGRAM [unittest arguments]
"""

import os
import sys
import unittest

from definitions import definition, one_task, step, task
from server import PostgresStore, ServerTestCase, SqliteStore

SECRET = "geheim"  # In every variable: it must be nowhere in the log.
KINDS = {
    "DEFINITION_UPLOADED", "INSTANCE_STARTED", "INSTANCE_CANCELLED", "INSTANCE_RETRIED",
    "INSTANCE_SUSPENDED", "INSTANCE_RESUMED", "VARIABLES_CHANGED", "SIGNAL_RECEIVED",
    "USER_TASK_CLAIMED", "USER_TASK_UNCLAIMED", "USER_TASK_ASSIGNED", "USER_TASK_COMPLETED",
    "KEY_CREATED", "KEY_REVOKED", "BACKUP_TAKEN"}
SECRETS = {"variables": {"pin": SECRET}}
LONG = definition(
    "long", step("approve", "USER_TASK", nextStep="check"), step("check", "USER_TASK",
                                                                 nextStep="wait"),
    step("wait", "WAIT", nextStep="work"), task("work", "long", "done", retryCount=1),
    step("done", "END"))


class AuditTestCase(ServerTestCase):
    """Does something, with a request id that tells what."""

    maxDiff = None

    def setUp(self):
        self.store = self.new_store(self.store_kind)
        self.key = None
        self.count = 0
        self.expected = {}  # Kinds by request id.

    def use(self, server):
        self.client = server.client()

    def call(self, method, path, body=None, status=200, kinds=(), **headers):
        """`kinds`: the entries that it is to leave."""
        self.count += 1
        request_id = f"audit-test-{self.count}"
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        reply = self.client.call(method, path, body, {"X-Request-Id": request_id, **headers})
        self.assertEqual(reply.status, status, f"{method} {path}: {reply}")
        if kinds:
            self.expected[request_id] = sorted(kinds)
        return reply

    def post(self, path, body=None, status=200, kinds=(), **headers):
        return self.call("POST", path, body, status, kinds, **headers)

    def start(self, definition_id, **headers):
        body = {"definitionId": definition_id, **SECRETS}
        return self.post("/v1/instances", body, 201, ["INSTANCE_STARTED"], **headers).json()["id"]

    def task_of(self, instance_id):
        [found] = self.call("GET", f"/v1/user-tasks?instanceId={instance_id}").json()["items"]
        return f"/v1/user-tasks/{found['id']}"

    def fail_job(self, job_type, retryable):
        poll = {"workerId": "wanda", "jobTypes": [job_type]}
        [job] = self.post("/v1/jobs/poll", poll).json()["jobs"]
        self.post(f"/v1/jobs/{job['id']}/fail",
                  {"workerId": "wanda", "errorMessage": "no", "retryable": retryable}, 204)

    def do_everything(self):
        """Every kind at least once, with calls between that change nothing and leave nothing."""
        self.post("/v1/definitions", LONG, 201, ["DEFINITION_UPLOADED"])
        self.post("/v1/definitions", LONG, 201)
        self.post("/v1/definitions", {"id": "bad"}, 400)
        self.post("/v1/definitions", one_task("short"), 201, ["DEFINITION_UPLOADED"])
        instance_id = self.start("long", Idempotency_Key="once")
        self.post("/v1/instances", {"definitionId": "long", **SECRETS}, 201, Idempotency_Key="once")
        self.work_through(instance_id)
        self.end_others()
        return instance_id

    def work_through(self, instance_id):
        base = f"/v1/instances/{instance_id}"
        for action, kind in [("suspend", "INSTANCE_SUSPENDED"), ("resume", "INSTANCE_RESUMED")]:
            self.post(f"{base}/{action}", kinds=[kind])
            self.post(f"{base}/{action}")
        change = {"variables": {"pin": f"{SECRET} 2"}, "remove": ["old"]}
        self.call("PATCH", f"{base}/variables", change, kinds=["VARIABLES_CHANGED"])
        self.call("PATCH", f"{base}/variables", change)
        self.call("PATCH", f"{base}/variables", {**SECRETS, "expectedVersion": 9}, 409)
        user_task = self.task_of(instance_id)
        self.post(f"{user_task}/claim", {"userId": "ada"}, kinds=["USER_TASK_CLAIMED"])
        self.post(f"{user_task}/claim", {"userId": "ada"})
        self.post(f"{user_task}/claim", {"userId": "bob"}, 409)
        self.post(f"{user_task}/unclaim", {"userId": "ada"}, kinds=["USER_TASK_UNCLAIMED"])
        self.post(f"{user_task}/unclaim")
        self.post(f"{user_task}/assign", {"assignee": "bob"}, kinds=["USER_TASK_ASSIGNED"])
        self.post(f"{user_task}/complete", {"userId": "bob", **SECRETS}, 204,
                  ["USER_TASK_COMPLETED"])
        self.post(f"{user_task}/complete", {"userId": "bob", **SECRETS}, 409)
        self.post(f"{base}/user-tasks/check/complete", SECRETS, 204, ["USER_TASK_COMPLETED"])
        self.post(f"{base}/signals/wait", {"pin": SECRET}, 204, ["SIGNAL_RECEIVED"],
                  Idempotency_Key="once")
        self.post(f"{base}/signals/wait", {"pin": SECRET}, 204, Idempotency_Key="once")
        self.fail_job("long", True)
        self.fail_job("long", False)
        self.post(f"{base}/retry", kinds=["INSTANCE_RETRIED"])
        self.post(f"{base}/retry", status=409)
        self.post(f"{base}/cancel", {"reason": "over"}, kinds=["INSTANCE_CANCELLED"])
        self.post(f"{base}/cancel", status=409)

    def end_others(self):
        both = [{"definitionId": "short", **SECRETS}] * 2
        self.post("/v1/instances:batch", {"instances": both}, 200, ["INSTANCE_STARTED"] * 2)
        chosen = {"filter": {"definitionId": "short"}}
        self.post("/v1/instances:cancel", {**chosen, "dryRun": True})
        self.post("/v1/instances:cancel", chosen, kinds=["INSTANCE_CANCELLED"] * 2)
        made = self.post("/v1/keys", {"name": "ci", "role": "viewer"}, 201, ["KEY_CREATED"]).json()
        self.secrets.append(made["key"].split("_")[2])
        self.call("DELETE", f"/v1/keys/{made['id']}", status=204, kinds=["KEY_REVOKED"])
        self.call("DELETE", f"/v1/keys/{made['id']}", status=204)
        if self.store_kind is SqliteStore:
            self.post("/v1/backup", kinds=["BACKUP_TAKEN"])
        else:
            self.post("/v1/backup", status=409)

    def entries(self):
        return self.call("GET", "/v1/audit?pageSize=500")


class AuditTest(AuditTestCase):
    store_kind = SqliteStore

    def setUp(self):
        super().setUp()
        open_server = self.new_server(self.store)
        self.use(open_server)
        made = self.post("/v1/keys", {"name": "ops", "role": "admin"}, 201).json()
        open_server.stop()
        self.use(self.new_server(self.store, "--auth", "keys"))
        self.key = made["key"]
        self.key_id = made["id"]
        self.secrets = [made["key"].split("_")[2], SECRET]

    def test_each_action_leaves_its_entry_once(self):
        instance_id = self.do_everything()
        whole = self.entries()
        found = {}
        for entry in whole.json()["items"]:
            if entry["actor"]["type"] == "anonymous":
                self.assertEqual(entry["kind"], "KEY_CREATED", "the first key")
                continue
            found.setdefault(entry["requestId"], []).append(entry["kind"])
            self.assertEqual(entry["actor"], {"type": "key", "keyId": self.key_id, "name": "ops"})
            self.assertEqual((entry["remoteAddress"], entry["workspace"]),
                             ("127.0.0.1", "default"))
        self.assertEqual({name: sorted(kinds) for name, kinds in found.items()}, self.expected)
        missing = KINDS - {kind for kinds in found.values() for kind in kinds}
        self.assertEqual(missing, set() if self.store_kind is SqliteStore else {"BACKUP_TAKEN"})

        of_instance = self.call("GET", f"/v1/instances/{instance_id}/audit")
        self.assertTrue(whole.json()["enabled"] and of_instance.json()["enabled"])
        kinds = [entry["kind"] for entry in of_instance.json()["items"]]
        self.assertEqual([kind for kind in kinds if kind.startswith("JOB_")],
                         ["JOB_DISPATCHED", "JOB_RETRIED", "JOB_DISPATCHED", "JOB_FAILED"])
        for text in (whole.text, of_instance.text):
            for secret in self.secrets:
                self.assertNotIn(secret, text)
        [changed] = [entry for entry in whole.json()["items"]
                     if entry["kind"] == "VARIABLES_CHANGED"]
        self.assertIn("pin", str(changed["details"]), "Names are there.")


class PostgresAuditTest(AuditTest):
    store_kind = PostgresStore


class SwitchedOffTest(AuditTestCase):
    store_kind = SqliteStore

    def setUp(self):
        super().setUp()
        self.secrets = []

    def expect_nothing(self, server):
        self.use(server)
        instance_id = self.do_everything()
        answer = self.entries().json()
        self.assertEqual((answer["items"], answer["enabled"]), ([], False))
        answer = self.call("GET", f"/v1/instances/{instance_id}/audit").json()
        self.assertEqual({each["kind"][:4] for each in answer["items"]}, {"JOB_"},
                         "History has those.")
        self.assertFalse(answer["enabled"])

    def test_a_flag_switches_it_off(self):
        self.expect_nothing(self.new_server(self.store, "--audit", "false"))

    def test_a_variable_switches_it_off(self):
        for name in ("WE_AUDIT_LOG_ENABLED", "MILLRACE_AUDIT"):
            with self.subTest(name):
                self.store = self.new_store()
                self.store.environment = {name: "false"}
                self.expect_nothing(self.new_server(self.store))

    def test_what_was_noted_before_stays(self):
        server = self.new_server(self.store)
        self.use(server)
        self.post("/v1/definitions", one_task("noted"), 201)
        server.stop()
        self.use(self.new_server(self.store, "--audit=false"))
        self.post("/v1/definitions", one_task("unnoted"), 201)
        [entry] = self.entries().json()["items"]
        self.assertIn("noted", entry["subject"])


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
