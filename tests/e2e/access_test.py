#!/usr/bin/env python3
"""Access: keys, roles, workspaces of keys, what is refused to whom, and how keys end.

Usage: access_test.py PROGRAM [unittest arguments]
"""

import datetime
import os
import sys
import unittest

from client import Client
from contract_case import TIME
from definitions import one_task
from server import Server, ServerTestCase, SqliteStore, wait_until
from wire_contract import REST, filled, served_operations, wire_documents

ROLES = ("viewer", "worker", "operator", "admin")
KEY = r"^mr_[A-Za-z0-9]+_[A-Za-z0-9_-]{20,}$"
# A stream is not refused for its body, and does not end.
NOT_FOR_ALL_ROLES = {"GET /v1/instances/{id}/events"}


class AccessTest(ServerTestCase):
    """One server with keys; the first of them was made while it ran without."""

    @classmethod
    def setUpClass(cls):
        cls.store = SqliteStore()
        cls.addClassCleanup(cls.store.remove)
        open_server = Server(cls.program, cls.store).start()
        cls.addClassCleanup(open_server.discard)
        made = open_server.client().post("/v1/keys", {"name": "root", "role": "admin"})
        assert made.status == 201, made
        cls.root = made.json()["key"]
        open_server.stop()
        cls.server = Server(cls.program, cls.store, "--auth", "keys").start()
        cls.addClassCleanup(cls.server.discard)

    def call(self, key, method, path, body=None, status=200, **headers):
        client = Client(lambda: self.server.rest_port)
        self.addCleanup(client.close)
        if key:
            headers["Authorization"] = f"Bearer {key}"
        reply = client.call(method, path, body, {name.replace("_", "-"): value
                                                 for name, value in headers.items()})
        self.assertEqual(reply.status, status, f"{method} {path}: {reply}")
        return reply

    def new_key(self, role, **fields):
        body = {"name": f"a {role}", "role": role, **fields}
        return self.call(self.root, "POST", "/v1/keys", body, 201).json()

    def refused(self, key, status, code, method="GET", path="/v1/instances", body=None):
        reply = self.call(key, method, path, body, status)
        self.assertEqual(reply.json()["error"], code)
        return reply

    def test_without_a_key_only_open_routes_answer(self):
        for path in ("/healthz", "/readyz", "/openapi.json", "/definition.schema.json"):
            self.call(None, "GET", path)
        for name, path, _ in served_operations(wire_documents.openapi(REST)):
            if path.startswith("/v1/"):
                with self.subTest(name):
                    method = name.split(" ")[0]
                    reply = self.refused(None, 401, "unauthorized", method, filled(path))
                    self.assertEqual(reply.headers["WWW-Authenticate"].split(" ")[0], "Bearer")

    def test_a_key_is_told_what_it_is(self):
        made = self.new_key("worker", workspace="team-w")
        self.assertRegex(made["key"], KEY)
        self.assertRegex(made["createdAt"], TIME)
        self.assertTrue(made["key"].startswith(f"mr_{made['id']}_"))
        self.assertEqual(self.call(made["key"], "GET", "/v1/whoami").json(), {
            "authenticated": True, "keyId": made["id"], "name": "a worker", "role": "worker",
            "workspace": "team-w"})
        root = self.call(self.root, "GET", "/v1/whoami").json()
        self.assertEqual((root["role"], "workspace" in root), ("admin", False))

    def test_roles_may_do_what_the_document_says_and_nothing_else(self):
        keys = {role: self.new_key(role)["key"] for role in ROLES}
        for name, path, operation in served_operations(wire_documents.openapi(REST)):
            if not path.startswith("/v1/") or name in NOT_FOR_ALL_ROLES:
                continue
            method = name.split(" ")[0]
            target = filled(path)
            for role in ROLES:
                with self.subTest(f"{name} as {role}"):
                    client = Client(lambda: self.server.rest_port)
                    self.addCleanup(client.close)
                    reply = client.call(method, target, None if method == "GET" else b"{",
                                        {"Authorization": f"Bearer {keys[role]}"})
                    is_allowed = reply.status != 403
                    self.assertNotEqual(reply.status, 401)
                    self.assertEqual(is_allowed, role in operation["x-roles"], reply)

    def test_bad_keys_are_refused(self):
        good = self.new_key("viewer")
        for key in ("nonsense", "mr_", "mr_x_y", f"mr_{good['id']}_wrong", good["key"] + "x",
                    good["key"][:-1]):
            with self.subTest(key):
                self.refused(key, 401, "unauthorized")
        reply = self.call(None, "GET", "/v1/instances", status=401,
                          Authorization="Basic cm9vdDpyb290")
        self.assertEqual(reply.json()["error"], "unauthorized")

    def test_a_revoked_key_is_refused_at_once(self):
        made = self.new_key("viewer")
        self.call(made["key"], "GET", "/v1/instances")
        for _ in range(2):
            self.call(self.root, "DELETE", f"/v1/keys/{made['id']}", status=204)
        self.refused(made["key"], 401, "unauthorized")
        self.refused(self.root, 404, "not-found", "DELETE", "/v1/keys/nobody")
        [listed] = [each for each in self.keys() if each["id"] == made["id"]]
        self.assertRegex(listed["revokedAt"], TIME)

    def test_an_expired_key_is_refused(self):
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=1)
        made = self.new_key("viewer", expiresAt=soon.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))
        wait_until(lambda: self.status_of(made["key"]) == 401, "the key to expire", 20)

    def status_of(self, key):
        client = self.server.client()
        return client.call("GET", "/v1/instances", None,
                           {"Authorization": f"Bearer {key}"}).status

    def keys(self):
        return self.call(self.root, "GET", "/v1/keys?pageSize=500").json()["items"]

    def test_secrets_are_shown_once(self):
        made = self.new_key("viewer")
        reply = self.call(self.root, "GET", "/v1/keys?pageSize=500")
        self.assertNotIn(made["key"].split("_")[2].encode(), reply.body)
        [listed] = [each for each in reply.json()["items"] if each["id"] == made["id"]]
        del made["key"]
        self.assertEqual(listed, made)

    def test_bad_keys_cannot_be_made(self):
        for body, name in [({}, "name"), ({"name": "x"}, "role"),
                           ({"name": "x", "role": "king"}, "role"),
                           ({"name": "", "role": "viewer"}, "name"),
                           ({"name": "x", "role": "viewer", "workspace": "Bad!"}, "workspace"),
                           ({"name": "x", "role": "admin", "workspace": ""}, "workspace"),
                           ({"name": "x", "role": "viewer", "expiresAt": "soon"}, "expiresAt"),
                           ({"name": "x", "role": "viewer", "expiresAt": ""}, "expiresAt"),
                           ({"name": "x" * 257, "role": "viewer"}, "name")]:
            with self.subTest(str(body)):
                reply = self.refused(self.root, 400, "bad-request", "POST", "/v1/keys", body)
                self.assertIn(name, reply.json()["reason"])

    def test_a_key_of_a_workspace_stays_there(self):
        admin = self.new_key("admin", workspace="team-k")["key"]
        self.call(admin, "POST", "/v1/definitions", one_task("of_the_team"), 201)
        self.call(admin, "GET", "/v1/definitions/of_the_team")
        self.refused(self.root, 404, "not-found", path="/v1/definitions/of_the_team")
        self.call(self.root, "GET", "/v1/definitions/of_the_team", Millrace_Workspace="team-k")
        self.call(admin, "GET", "/v1/definitions/of_the_team", status=403,
                  Millrace_Workspace="team-other")
        self.refused(admin, 403, "forbidden", "POST", "/v1/keys", {"name": "x", "role": "viewer"})
        self.refused(admin, 403, "forbidden", "POST", "/v1/keys",
                     {"name": "x", "role": "viewer", "workspace": "team-other"})
        made = self.call(admin, "POST", "/v1/keys",
                         {"name": "x", "role": "viewer", "workspace": "team-k"}, 201).json()
        listed = self.call(admin, "GET", "/v1/keys").json()["items"]
        self.assertIn(made["id"], [each["id"] for each in listed])
        self.assertEqual({each["workspace"] for each in listed}, {"team-k"})

    def test_executions_are_for_those_who_may_see_their_workspace(self):
        for workspace in ("team-x", "team-y"):
            self.call(self.root, "POST", "/v1/workspaces", {"id": workspace, "paused": True}, 201)
        own, other = (self.new_key("admin", workspace=each)["key"] for each in ("team-x", "team-y"))
        worker = self.new_key("worker", workspace="team-x")["key"]
        run = {"id": "away", "name": "Away", "executor": {"kind": "temporal", "workflowType": "A"}}
        self.call(own, "POST", "/v1/workspaces/team-x/definitions", run, 201)
        enqueue = {"definitionId": "away"}
        made = self.call(own, "POST", "/v1/workspaces/team-x/executions", enqueue, 202).json()
        self.assertEqual(made["requestedBy"], "a admin")
        self.refused(other, 404, "not-found", "POST", "/v1/workspaces/team-y/executions", enqueue)
        self.refused(self.root, 403, "forbidden", "POST", "/v1/workspaces/team-y/executions", enqueue)
        path = f"/v1/executions/{made['id']}"
        for key in (own, self.root):
            self.call(key, "GET", path)
        for method, target in [("GET", path), ("POST", path + "/cancel"), ("POST", path + "/retry"),
                               ("GET", "/v1/workspaces/team-x"),
                               ("GET", "/v1/workspaces/team-x/queue"),
                               ("GET", "/v1/workspaces/team-x/executions"),
                               ("GET", "/v1/workspaces/team-x/definitions")]:
            self.refused(other, 404, "not-found", method, target)
        self.assertEqual([each["id"] for each in
                          self.call(other, "GET", "/v1/workspaces").json()["items"]], ["team-y"])
        self.refused(own, 403, "forbidden", "PATCH", "/v1/workspaces/team-x", {"weight": 9})
        self.refused(own, 403, "forbidden", "DELETE", "/v1/workspaces/team-x")
        self.refused(own, 403, "forbidden", "POST", "/v1/workspaces", {"id": "team-z"})
        self.call(own, "PATCH", "/v1/workspaces/team-x", {"name": "X"})
        self.refused(worker, 403, "forbidden", "GET", path)
        self.call(worker, "POST", path + "/completion", {"status": "FAILED"})
        self.refused(other, 404, "not-found", "GET", f"/v1/dead-letters/{made['id']}")
        self.call(own, "GET", f"/v1/dead-letters/{made['id']}")

    def test_keys_and_their_ends_are_in_the_audit_log(self):
        made = self.new_key("viewer")
        self.call(self.root, "DELETE", f"/v1/keys/{made['id']}", status=204)
        root_id = self.call(self.root, "GET", "/v1/whoami").json()["keyId"]
        entries = self.call(self.root, "GET", f"/v1/audit?keyId={root_id}").json()["items"]
        self.assertEqual([(each["kind"], each["actor"]["name"]) for each in entries
                          if each["subject"] == made["id"]],
                         [("KEY_REVOKED", "root"), ("KEY_CREATED", "root")])


class ManyFailuresTest(ServerTestCase):
    """On a server of its own: others would be refused, too."""

    def test_an_address_that_guesses_is_slowed_down(self):
        server = self.new_server(None, "--auth", "keys")
        client = server.client()
        headers = {"Authorization": "Bearer mr_guess_0123456789abcdef0123456789abcdef"}
        statuses = []
        for _ in range(500):
            reply = client.call("GET", "/v1/instances", None, headers)
            statuses.append(reply.status)
            if reply.status == 429:
                break
        self.assertEqual(statuses[0], 401)
        self.assertEqual(statuses[-1], 429)
        self.assertEqual(reply.json()["error"], "too-many-requests")
        self.assertGreaterEqual(int(reply.headers["Retry-After"]), 1)


class WithoutKeysTest(ServerTestCase):
    def test_nobody_is_anybody(self):
        client = self.new_server().client()
        self.assertEqual(client.get("/v1/whoami").json(), {"authenticated": False, "role": "admin"})


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
