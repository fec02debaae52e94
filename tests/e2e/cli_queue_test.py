#!/usr/bin/env python3
"""The execution queue by commands: workspaces, executions, their lines and their dead letters.

Usage: cli_queue_test.py PROGRAM [unittest arguments]
"""

import json
import os
import sys
import unittest

from cli_case import CliTestCase
from contract_case import NO_ID
from contract_queue import FAR_FUTURE, far
from definitions import definition, one_task, step
from server import Server, SqliteStore, wait_until


def at_once(definition_id):
    """Runs here, and is over at once."""
    return definition(definition_id, step("done", "END"))


class QueueTestCase(CliTestCase):
    """Each test has a workspace of its own."""

    @classmethod
    def setUpClass(cls):
        store = SqliteStore()
        cls.addClassCleanup(store.remove)
        cls.server = Server(cls.program, store).start()
        cls.addClassCleanup(cls.server.discard)

    def new_workspace(self, workspace, *definitions, options=()):
        self.millrace("workspaces", "create", workspace, "--plan", "UNLIMITED", *options)
        self.environment["MILLRACE_WORKSPACE"] = workspace
        for each in definitions:
            self.apply(each)

    def enqueue(self, definition_id, *options):
        return self.millrace_json("executions", "enqueue", definition_id, *options)["id"]

    def execution(self, execution_id):
        return self.millrace_json("executions", "get", execution_id)

    def wait_for(self, execution_id, status):
        wait_until(lambda: self.execution(execution_id)["queueStatus"] == status, status)

    def new_failed(self, message="out of ink", definition_id="lost"):
        """One whose run elsewhere is reported to have failed."""
        execution_id = self.enqueue(definition_id)
        self.millrace("executions", "complete", execution_id, "--status", "FAILED",
                      "--message", message)
        return execution_id


class WorkspacesTest(QueueTestCase):
    def test_a_workspace_is_made_changed_and_deleted(self):
        made = self.millrace_json("workspaces", "create", "life", "--name", "Life", "--plan", "PRO",
                                  "--rate", "2.5", "--weight", "3", "--paused")
        self.assertEqual((made["name"], made["paused"], made["weight"]), ("Life", True, 3))
        self.assertEqual(made["limits"]["ratePerSecond"], 2.5)
        self.assertRegex(self.millrace("workspaces", "get", "life").stdout,
                         r"(?m)^paused +yes\n(.*\n)*max active +0 while it is paused$")
        self.assertIn("workspaces update life",
                      self.refused("conflict", "workspaces", "create", "life"))
        changed = self.millrace_json("workspaces", "update", "life", "--max-active", "7",
                                     "--unset", "rate", "--resume")
        self.assertEqual((changed["maxActive"], changed["paused"]), (7, False))
        self.assertNotIn("ratePerSecond", changed["limits"])
        shown = self.millrace("workspaces", "get", "life").stdout
        self.assertRegex(shown, r"(?m)^max active +7 \(its own\)$")
        self.assertRegex(shown, r"(?m)^rate per second +none$")
        self.assertIn("life", self.ids("workspaces", "list", "--limit", "0"))
        self.assertRegex(self.millrace("workspaces", "list").stdout,
                         r"(?m)^life +Life +PRO +OPEN +7 +none +3 ")
        self.assertIn("--yes", self.millrace("workspaces", "delete", "life", expect=2).stderr)
        self.assertEqual(self.millrace("workspaces", "delete", "life", "--yes").stdout,
                         "life is deleted.\n")
        for command in (["get", "life"], ["update", "life", "--pause"], ["delete", "life", "--yes"]):
            self.refused("not-found", "workspaces", *command)

    def test_bad_settings_are_refused_with_their_names(self):
        self.assertIn("plan", self.refused("bad-request", "workspaces", "create", "bad",
                                           "--plan", "GOLD"))
        self.assertIn("id", self.refused("bad-request", "workspaces", "create", "Bad!"))
        self.assertIn("--weight", self.millrace("workspaces", "update", "default", "--weight", "1001",
                                                expect=2).stderr)
        self.millrace("workspaces", "update", "default", expect=2)
        self.assertNotIn("--force",
                         self.refused("conflict", "workspaces", "delete", "default", "--yes"))

    def test_open_work_is_cancelled_by_force_alone(self):
        self.new_workspace("busy", one_task("busy"), options=["--max-active", "1"])
        running, waiting = self.enqueue("busy"), self.enqueue("busy")
        self.wait_for(running, "DISPATCHED")
        said = self.refused("conflict", "workspaces", "delete", "busy", "--yes")
        self.assertIn("executions: 2", said)
        self.assertIn("--force", said)
        self.millrace("workspaces", "delete", "busy", "--yes", "--force")
        del self.environment["MILLRACE_WORKSPACE"]
        for each in (running, waiting):
            self.assertEqual(self.execution(each)["queueStatus"], "CANCELLED")


class ExecutionsTest(QueueTestCase):
    def test_one_is_enqueued_and_waited_for(self):
        self.new_workspace("wait", at_once("quick"), far("lost"), options=["--max-per-key", "2"])
        done = self.millrace_json("executions", "enqueue", "quick", "--input", '{"a": 1}',
                                  "--var", "b=two", "--priority", "5", "--concurrency-key", "k",
                                  "--wait", "--timeout", "1m")
        self.assertEqual((done["queueStatus"], done["workspaceId"], done["priority"]),
                         ("COMPLETED", "wait", 5))
        self.assertEqual((done["input"], done["result"]), ({"a": 1, "b": "two"},) * 2)
        text = self.millrace("executions", "enqueue", "lost", "--wait", expect=1).stdout
        self.assertRegex(text, r"(?m)^status +FAILED\nerror +EXECUTOR_TARGET_NOT_FOUND: ")
        waiting = self.enqueue("quick", "--not-before", FAR_FUTURE)
        said = self.millrace("executions", "get", waiting, "--wait", "--timeout", "0.1s",
                             expect=3).stderr
        self.assertIn("still PENDING", said)

    def test_what_cannot_be_enqueued_is_refused(self):
        self.new_workspace("refused", at_once("quick"))
        self.refused("not-found", "executions", "enqueue", "none")
        self.refused("not-found", "executions", "enqueue", "quick", "--definition-version", "9")
        self.assertIn("deadline", self.refused("bad-request", "executions", "enqueue", "quick",
                                               "--deadline", "2001-01-01T00:00:00Z"))
        self.refused("not-found", "executions", "enqueue", "quick", "--workspace", "nobodys")
        self.assertIn("--input", self.millrace("executions", "enqueue", "quick", "--input", "[1]",
                                               expect=2).stderr)
        self.millrace("executions", "enqueue", expect=2)
        self.assertEqual(self.items("executions", "list"), [])

    def test_the_same_key_enqueues_once(self):
        self.new_workspace("once", one_task("once"), options=["--paused"])
        once = ["once", "--idempotency-key", "k", "--definition-version", "1"]
        self.assertEqual(self.enqueue(*once), self.enqueue(*once))
        self.refused("unprocessable", "executions", "enqueue", *once, "--priority", "1")

    def test_items_of_a_batch_stand_alone(self):
        self.new_workspace("batch", one_task("batch"), options=["--paused"])
        items = [{"definitionId": "batch", "idempotencyKey": "a"}, {"definitionId": "none"},
                 {"definitionId": "batch", "idempotencyKey": "a"}]
        (self.directory / "items.json").write_text(json.dumps(items))
        batch = ["executions", "enqueue", "--batch", "items.json"]
        said = self.millrace(*batch, expect=1)
        self.assertEqual(said.stdout, "2 enqueued, 1 failed.\n")
        self.assertRegex(said.stderr, "^  item 2: .*none")
        results = self.millrace_json(*batch, expect=1)["results"]
        self.assertEqual(results[0], results[2])
        self.assertEqual(results[1]["error"]["error"], "not-found")
        many = {"executions": [{"definitionId": "batch"}] * 1500}
        said = self.millrace("executions", "enqueue", "--batch", "-", text_in=json.dumps(many))
        self.assertEqual(said.stdout, "1500 enqueued, 0 failed.\n")
        self.assertEqual(len(self.ids("executions", "list", "--limit", "0")), 1501)
        self.millrace(*batch, "--priority", "1", expect=2)
        self.millrace("executions", "enqueue", "--batch", "nothing.json", expect=2)

    def test_they_are_found_by_every_filter(self):
        self.new_workspace("found", one_task("first"), one_task("second"), far("lost"),
                           options=["--paused"])
        one = self.enqueue("first", "--concurrency-key", "k")
        two = self.enqueue("second")
        bad = self.new_failed()
        created = self.execution(two)["createdAt"]
        for options, expected in [
                ([], [bad, two, one]), (["--status", "PENDING"], [two, one]),
                (["--status", "FAILED,CANCELLED"], [bad]), (["--queue-status", "CLAIMED"], []),
                (["--definition", "first"], [one]), (["--concurrency-key", "k"], [one]),
                (["--reason", "WORKFLOW_FAILED"], [bad]), (["--requested-by", "nobody"], []),
                (["--created-from", created], [bad, two]), (["--created-before", created], [one]),
                (["--limit", "1"], [bad])]:
            with self.subTest(" ".join(options)):
                self.assertEqual(self.ids("executions", "list", *options), expected)
        self.assertIn("--created-from", self.millrace(
            "executions", "list", "--created-from", "yesterday", expect=2).stderr)
        table = self.millrace("executions", "list").stdout.splitlines()
        self.assertRegex(table[0], "^ID +DEFINITION +STATUS +PRIORITY +CREATED +COMPLETED +ERROR$")
        self.assertRegex(table[1], f"^{bad} +lost:1 +FAILED .* WORKFLOW_FAILED: out of ink$")

    def test_one_is_cancelled_and_done_again(self):
        self.new_workspace("again", one_task("again"), options=["--paused"])
        first = self.enqueue("again", "--input", '{"n": 7}')
        for _ in range(2):
            over = self.millrace_json("executions", "cancel", first, "--reason", "a mistake")
            self.assertEqual(over["queueStatus"], "CANCELLED")
        retry = ["executions", "retry", first, "--idempotency-key", "k"]
        second = self.millrace_json(*retry)
        self.assertEqual((second["retryOf"], self.millrace_json(*retry)["id"]),
                         (first, second["id"]))
        self.assertEqual(self.execution(second["id"])["input"], {"n": 7})
        self.refused("conflict", "executions", "retry", first)
        self.refused("conflict", "executions", "retry", second["id"], "--resume")

    def test_one_that_failed_here_is_resumed(self):
        self.new_workspace("resume", one_task("resume"))
        execution_id = self.enqueue("resume")
        worker = self.server.client()
        headers = {"Millrace-Workspace": "resume"}
        poll = {"workerId": "w", "jobTypes": ["resume"], "waitSeconds": 10}
        [job] = worker.post("/v1/jobs/poll", poll, headers=headers).json()["jobs"]
        worker.post(f"/v1/jobs/{job['id']}/fail",
                    {"workerId": "w", "errorMessage": "no stock", "retryable": False},
                    headers=headers)
        self.wait_for(execution_id, "FAILED")
        self.refused("conflict", "executions", "cancel", execution_id, "--force")
        resumed = self.millrace_json("executions", "retry", execution_id, "--resume")
        self.assertEqual(resumed["id"], execution_id)
        [job] = worker.post("/v1/jobs/poll", poll, headers=headers).json()["jobs"]
        worker.post(f"/v1/jobs/{job['id']}/complete", {"workerId": "w"}, headers=headers)
        self.millrace("executions", "get", execution_id, "--wait")

    def test_the_end_of_a_run_elsewhere_is_reported(self):
        self.new_workspace("elsewhere", far("lost"), one_task("here"), options=["--paused"])
        done = self.enqueue("lost")
        (self.directory / "result.json").write_text('{"total": 12}')
        self.millrace("executions", "complete", done, "--result", "@result.json", "--run-id", "r-1")
        over = self.execution(done)
        self.assertEqual((over["queueStatus"], over["result"], over["runId"]),
                         ("COMPLETED", {"total": 12}, "r-1"))
        self.refused("conflict", "executions", "complete", done, "--status", "FAILED",
                     "--reason", "TIMED_OUT")
        self.refused("conflict", "executions", "complete", self.enqueue("here"))
        self.millrace("executions", "complete", done, "--status", "DONE", expect=2)

    def test_an_unknown_one_is_not_found(self):
        for command in (["executions", "get"], ["executions", "cancel"], ["executions", "retry"],
                        ["executions", "complete"], ["dlq", "get"], ["dlq", "redrive"],
                        ["dlq", "dismiss"]):
            self.refused("not-found", *command, NO_ID)


class LinesTest(QueueTestCase):
    def test_a_line_tells_how_it_stands(self):
        self.new_workspace("line", one_task("line"), options=["--max-active", "1"])
        self.wait_for(self.enqueue("line"), "DISPATCHED")
        self.enqueue("line")
        self.enqueue("line", "--not-before", FAR_FUTURE)
        shown = self.millrace("queue", "show").stdout
        for fact in ("workspace +line", "slots used +1 of 1", "in line +1", "due later +1",
                     "dispatched +1", "dead letters +0", r"oldest waits +[0-9.e-]+ s"):
            self.assertRegex(shown, f"(?m)^{fact}$")
        self.assertEqual(self.millrace_json("queue", "show")["places"],
                         {"READY": 1, "PARKED": 0, "DUE": 1, "ACTIVE": 1})
        del self.environment["MILLRACE_WORKSPACE"]
        table = self.millrace("queue", "show", "--limit", "0").stdout
        self.assertRegex(table, r"(?m)^line +OPEN +1 of 1 +1 +0 +1 +0 +[0-9.e-]+ s$")
        lines = {each["workspaceId"]: each for each in self.items("queue", "show", "--limit", "0")}
        self.assertEqual(lines["line"]["active"], 1)
        self.assertIn("default", lines)
        self.refused("not-found", "queue", "show", "--workspace", "nobodys")

    def test_recovery_by_hand_prints_its_count(self):
        self.new_workspace("recover")
        recover = ["queue", "recover", "--older-than"]
        self.assertEqual(self.millrace(*recover, "5m").stdout, "0 recovered.\n")
        self.assertEqual(self.millrace_json(*recover, "300"), {"recovered": 0})
        self.millrace(*recover, "soon", expect=2)
        self.millrace("queue", "recover", expect=2)
        self.refused("not-found", *recover, "5m", "--workspace", "nobodys")


class DeadLettersTest(QueueTestCase):
    def test_they_are_listed_grouped_and_shown(self):
        self.new_workspace("groups", far("lost"), far("other"), options=["--paused"])
        one, two = (self.new_failed(f"order {n} is gone") for n in (17, 18))
        three = self.new_failed("out of ink", "other")
        self.assertEqual(self.ids("dlq", "list"), [three, two, one])
        self.assertEqual(self.ids("dlq", "list", "--definition", "lost", "--limit", "1"), [two])
        self.assertEqual(self.ids("dlq", "list", "--reason", "TIMED_OUT"), [])
        [group, other] = self.items("dlq", "groups")
        self.assertEqual((group["count"], group["latestId"], other["count"]), (2, two, 1))
        self.assertRegex(self.millrace("dlq", "groups", "--limit", "1").stdout,
                         rf"(?m)^2 +lost +WORKFLOW_FAILED .* {two} +order 18 is gone$")
        self.assertEqual(self.millrace_json("dlq", "get", one), self.execution(one))
        self.assertEqual(self.millrace_json("dlq", "dismiss", one)["queueStatus"], "FAILED")
        self.refused("not-found", "dlq", "get", one)

    def test_they_are_redriven_one_by_one_and_together(self):
        self.new_workspace("redrive", far("lost"), options=["--paused"])
        dead = [self.new_failed() for _ in range(5)]
        again = self.millrace_json("dlq", "redrive", dead[0])
        self.assertEqual(again["retryOf"], dead[0])
        self.refused("conflict", "dlq", "redrive", dead[0])
        many = ["dlq", "redrive", "--definition", "lost"]
        self.assertIn("--yes", self.millrace(*many, expect=2).stderr)
        self.assertEqual(self.millrace(*many, "--dry-run").stdout, "4 would be redriven.\n")
        self.assertEqual(self.millrace(*many, "--trial", "1", "--yes").stdout,
                         "1 redriven, 0 failed, 3 remaining.\n")
        spread = self.millrace_json(*many, "--rate", "0.001", "--limit", "2", "--yes")
        self.assertEqual((spread["redriven"], spread["remaining"]), (2, 1))
        later = spread["executions"][1]["executionId"]
        self.assertIn("notBefore", self.execution(later))
        self.assertEqual(self.millrace_json("dlq", "redrive", "--all", "--yes")["redriven"], 1)
        self.assertEqual(self.millrace(*many, "--yes").stdout,
                         "0 redriven, 0 failed, 0 remaining.\n")
        self.millrace("dlq", "redrive", expect=2)

    def test_they_are_dismissed_and_purged(self):
        self.new_workspace("purge", far("lost"), options=["--paused"])
        one, two, three, four = (self.new_failed() for _ in range(4))
        said = self.millrace("dlq", "purge", one, NO_ID, expect=1)
        self.assertEqual(said.stdout, "1 purged, 1 failed, 0 remaining.\n")
        self.assertIn(NO_ID, said.stderr)
        self.refused("not-found", "executions", "get", one)
        self.assertEqual(self.millrace_json("dlq", "dismiss", two, three)["dismissed"], 2)
        self.assertEqual(self.ids("dlq", "list"), [four])
        purged = self.millrace_json("dlq", "purge", "--reason", "WORKFLOW_FAILED", "--yes")
        self.assertEqual(purged, {"purged": 1, "failed": [], "remaining": 0})
        self.assertEqual(self.ids("executions", "list"), [three, two])


class KeysTest(CliTestCase):
    def test_a_key_of_a_workspace_needs_no_name_for_it(self):
        store = self.new_store()
        admin = self.millrace_json("keys", "create", "ops", "--role", "admin",
                                   "--new", "--data-dir", str(store.path.parent))["key"]
        self.server = self.new_server(store, "--auth", "keys")
        self.environment["MILLRACE_API_KEY"] = admin
        self.millrace("workspaces", "create", "acme")
        self.apply_in("acme", at_once("quick"))
        keys = {role: self.millrace_json("keys", "create", role, "--role", role,
                                         "--for-workspace", "acme")["key"]
                for role in ("operator", "viewer")}
        self.environment["MILLRACE_API_KEY"] = keys["operator"]
        done = self.millrace_json("executions", "enqueue", "quick", "--wait")
        self.assertEqual((done["workspaceId"], done["requestedBy"]), ("acme", "operator"))
        self.assertEqual(self.ids("executions", "list", "--requested-by", "operator"), [done["id"]])
        self.assertEqual([each["workspaceId"] for each in self.items("queue", "show")], ["acme"])
        self.refused("forbidden", "workspaces", "create", "mine")
        self.refused("not-found", "workspaces", "get", "default")
        self.environment["MILLRACE_API_KEY"] = keys["viewer"]
        self.refused("forbidden", "executions", "enqueue", "quick")
        self.refused("forbidden", "dlq", "purge", NO_ID)

    def apply_in(self, workspace, content):
        self.millrace("definitions", "apply", "-", "--workspace", workspace,
                      text_in=json.dumps(content))


if __name__ == "__main__":
    CliTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
