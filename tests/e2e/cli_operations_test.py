#!/usr/bin/env python3
"""Everything that people do to tasks, jobs, instances and definitions with commands.

Usage: cli_operations_test.py PROGRAM [unittest arguments]
"""

import json
import os
import subprocess
import sys
import unittest

from cli_case import CliTestCase
from client import PATIENCE_SECONDS
from contract_case import NO_ID
from definitions import definition, one_task, step
from server import Server, SqliteStore


def approval(definition_id, **fields):
    """One user task."""
    return definition(definition_id, step("approve", "USER_TASK", nextStep="done", **fields),
                      step("done", "END"))


class OperationsTestCase(CliTestCase):
    @classmethod
    def setUpClass(cls):
        store = SqliteStore()
        cls.addClassCleanup(store.remove)
        cls.server = Server(cls.program, store).start()
        cls.addClassCleanup(cls.server.discard)

    def poll(self, job_type):
        body = {"workerId": "wanda", "jobTypes": [job_type], "leaseSeconds": 600,
                "maxJobs": 1}
        [job] = self.server.client().post("/v1/jobs/poll", body).json()["jobs"]
        return job

    def fail_job(self, job, **fields):
        body = {"workerId": "wanda", "errorMessage": "no stock", **fields}
        reply = self.server.client().post(f"/v1/jobs/{job['id']}/fail", body)
        self.assertEqual(reply.status, 204, reply)

    def complete(self, job):
        reply = self.server.client().post(f"/v1/jobs/{job['id']}/complete", {"workerId": "wanda"})
        self.assertEqual(reply.status, 204, reply)

    def failed_instance(self, definition_id):
        self.apply(one_task(definition_id))
        instance = self.start(definition_id)
        self.fail_job(self.poll(definition_id), retryable=False)
        return instance


class TasksTest(OperationsTestCase):
    def test_a_task_goes_from_hand_to_hand(self):
        self.apply(approval("hands", candidateGroups=["clerks"], form={"title": "Approve?"}))
        instance = self.start("hands", "--var", "amount=3")
        [task] = self.ids("tasks", "list", "--instance", instance)
        claimed = self.millrace_json("tasks", "claim", task, "--user", "ada")
        self.assertEqual((claimed["assignee"], claimed["status"]), ("ada", "OPEN"))
        self.refused("conflict", "tasks", "claim", task, "--user", "bob")
        self.refused("conflict", "tasks", "unclaim", task, "--user", "bob")
        self.assertNotIn("assignee", self.millrace_json("tasks", "unclaim", task, "--user", "ada"))
        self.assertEqual(self.millrace_json("tasks", "assign", task, "bob")["assignee"], "bob")
        shown = self.millrace_json("tasks", "get", task)
        self.assertEqual((shown["form"], shown["variables"], shown["candidateGroups"]),
                         ({"title": "Approve?"}, {"amount": 3}, ["clerks"]))
        self.refused("conflict", "tasks", "complete", task, "--user", "ada")
        done = ["tasks", "complete", task, "--user", "bob", "--var", "ok=true",
                "--idempotency-key", "once"]
        for _ in range(2):
            over = self.millrace_json(*done)
            self.assertEqual((over["status"], over["completedBy"]), ("COMPLETED", "bob"))
        self.refused("conflict", "tasks", "complete", task, "--user", "bob")
        after = self.get(instance)
        self.assertEqual((after["status"], after["variables"]),
                         ("COMPLETED", {"amount": 3, "ok": True}))

    def test_tasks_are_found_by_every_filter(self):
        self.apply(approval("found", candidateGroups=["clerks", "bosses"]))
        self.apply(approval("elsewhere", assignee="eve"))
        first, second, other = (self.start(each) for each in ("found", "found", "elsewhere"))
        task_of = {each["instanceId"]: each["id"] for each in self.items("tasks", "list")}
        self.millrace("tasks", "claim", task_of[first], "--user", "zoe")
        self.millrace("tasks", "complete", task_of[second])
        mine = {task_of[first], task_of[second], task_of[other]}
        for options, expected in [
                (["--definition", "found"], {first}), (["--instance", other], {other}),
                (["--definition", "found", "--step", "approve"], {first}),
                (["--definition", "found", "--step", "nothing"], set()),
                (["--assignee", "zoe"], {first}), (["--assignee", "eve"], {other}),
                (["--group", "bosses"], {first}), (["--group", "boss"], set()),
                (["--definition", "found", "--unassigned"], set()),
                (["--definition", "found", "--status", "COMPLETED"], {second}),
                (["--definition", "found", "--status", "ALL"], {first, second}),
                (["--definition", "found", "--status", "CANCELLED"], set())]:
            with self.subTest(" ".join(options)):
                self.assertEqual(set(self.ids("tasks", "list", *options)) & mine,
                                 {task_of[each] for each in expected})

    def test_tables_are_for_people(self):
        self.apply(approval("shown"))
        instance = self.start("shown")
        lines = self.millrace("tasks", "list", "--instance", instance).stdout.splitlines()
        self.assertRegex(lines[0], "^ID +NAME +STATUS +ASSIGNEE +INSTANCE +CREATED$")
        self.assertRegex(lines[1], rf"^\w+ +approve +OPEN +{instance} ")
        [task] = self.ids("tasks", "list", "--instance", instance)
        self.assertRegex(self.millrace("tasks", "get", task).stdout,
                         rf"(?m)^instance +{instance}\n(.*\n)*status +OPEN$")

    def test_an_unknown_task_is_not_found(self):
        for arguments in (["get", NO_ID], ["claim", NO_ID, "--user", "ada"], ["unclaim", NO_ID],
                          ["assign", NO_ID, "ada"], ["complete", NO_ID]):
            self.refused("not-found", "tasks", *arguments)
        self.millrace("tasks", "claim", NO_ID, expect=2)


class JobsTest(OperationsTestCase):
    def test_jobs_are_found_and_told_of(self):
        self.apply(one_task("told", retryCount=1))
        leased, waiting = self.start("told"), self.start("told")
        job = self.poll("told")
        self.assertEqual(job["instanceId"], leased)
        [other] = self.ids("jobs", "list", "--instance", waiting)
        for options, expected in [([], [job["id"], other]),
                                  (["--status", "LOCKED"], [job["id"]]),
                                  (["--status", "UNLOCKED"], [other]),
                                  (["--worker", "wanda"], [job["id"]]), (["--worker", "bob"], []),
                                  (["--limit", "1"], [job["id"]])]:
            with self.subTest(" ".join(options)):
                self.assertEqual(self.ids("jobs", "list", "--type", "told", *options), expected)
        shown = self.millrace_json("jobs", "get", job["id"])
        self.assertEqual((shown["status"], shown["workerId"], shown["attempt"]),
                         ("LOCKED", "wanda", 1))
        self.fail_job(job, retryable=True)
        # The one that has failed waits behind the other one.
        self.assertEqual(self.poll("told")["id"], other)
        self.complete(self.poll("told"))
        over = self.millrace_json("jobs", "get", job["id"])
        self.assertEqual(over["status"], "COMPLETED")
        self.assertEqual([each["outcome"] for each in over["tries"]], ["FAILED", "COMPLETED"])
        text = self.millrace("jobs", "get", job["id"]).stdout
        self.assertRegex(text, r"(?m)^1 +FAILED +wanda .* no stock$")
        table = self.millrace("jobs", "list", "--type", "told").stdout.splitlines()
        self.assertRegex(table[0], "^ID +TYPE +STATUS +ATTEMPT +RETRIES LEFT +WORKER ")
        self.assertEqual(len(table), 2)
        self.refused("not-found", "jobs", "get", NO_ID)


class InstancesTest(OperationsTestCase):
    def test_instances_are_found_by_every_filter(self):
        self.apply(one_task("filtered"))
        old = self.start("filtered", "--business-key", "first")
        self.apply(one_task("filtered", retryCount=1))
        new = self.start("filtered", "--var", "customer=Lovelace")
        self.millrace("instances", "cancel", old)
        self.millrace("instances", "suspend", new)
        started = self.get(new)["startedAt"]
        for options, expected in [
                ([], [new, old]), (["--definition-version", "1"], [old]),
                (["--status", "CANCELLED"], [old]), (["--status", "ACTIVE,CANCELLED"], [new, old]),
                (["--status", "ACTIVE", "--status", "FAILED"], [new]),
                (["--business-key", "first"], [old]), (["--started-after", started], [new]),
                (["--started-before", started], [old]), (["--suspended", "true"], [new]),
                (["--suspended", "false"], [old]), (["--text", "lovelace"], [new]),
                (["--text", "FIRST"], [old]), (["--text", new], [new]), (["--limit", "1"], [new])]:
            with self.subTest(" ".join(options)):
                self.assertEqual(
                    self.ids("instances", "list", "--definition", "filtered", *options), expected)
        self.assertRegex(self.millrace("instances", "list", "--definition", "filtered").stdout,
                         rf"(?m)^{new} +filtered:2 +SUSPENDED +work ")
        self.assertIn("--started-after", self.millrace(
            "instances", "list", "--started-after", "yesterday", expect=2).stderr)
        self.assertEqual(self.ids("instances", "list", "--definition", "filtered", "--status",
                                  "cancelled"), [old])
        self.assertIn("Expected ACTIVE, ", self.millrace(
            "instances", "list", "--status", "BOGUS", expect=2).stderr)

    def watcher(self, *arguments):
        watcher = subprocess.Popen([self.program, *arguments], text=True, stdout=subprocess.PIPE,
                                   env=self.all_variables())
        self.addCleanup(watcher.stdout.close)
        self.addCleanup(watcher.wait)
        self.addCleanup(watcher.kill)
        return watcher

    def test_events_are_told_to_the_end_of_an_instance(self):
        self.apply(approval("watched"))
        instance = self.start("watched")
        [task] = self.ids("tasks", "list", "--instance", instance)
        events = ["instances", "events", instance]
        watcher = self.watcher(*events, "--output", "json")
        seen = [json.loads(watcher.stdout.readline())]
        self.millrace("tasks", "complete", task)
        seen += [json.loads(line) for line in watcher.stdout]
        self.assertEqual(watcher.wait(PATIENCE_SECONDS), 0)
        steps = [(each["data"]["stepId"], each["data"]["status"]) for each in seen
                 if each["event"] == "step"]
        self.assertIn(("approve", "COMPLETED"), steps)
        self.assertEqual((seen[-1]["event"], seen[-1]["data"]["status"]), ("instance", "COMPLETED"))
        ids = [int(each["id"]) for each in seen]
        self.assertEqual(ids, sorted(ids))
        self.assertTrue(self.millrace(*events).stdout.endswith("instance COMPLETED\n"))
        later = self.millrace(*events, "--after", str(ids[0]), "--output", "json").stdout
        told = [json.loads(line) for line in later.splitlines()]
        self.assertEqual([int(each["id"]) for each in told if each["event"] == "step"],
                         [int(each["id"]) for each in seen
                          if each["event"] == "step" and int(each["id"]) > ids[0]])
        self.refused("not-found", "instances", "events", NO_ID)

    def test_events_go_on_when_the_server_is_restarted(self):
        store = self.new_store()
        self.server = self.new_server(store)
        self.apply(approval("restarted"))
        instance = self.start("restarted")
        [task] = self.ids("tasks", "list", "--instance", instance)
        watcher = self.watcher("instances", "events", instance)
        before = [watcher.stdout.readline(), watcher.stdout.readline()]
        self.assertEqual(self.server.stop(), 0)
        self.server = self.new_server(store, "--rest-port", str(self.server.rest_port))
        self.millrace("tasks", "complete", task)
        after = watcher.stdout.read().splitlines()
        self.assertEqual(watcher.wait(PATIENCE_SECONDS), 0)
        self.assertEqual(before, ["step approve RUNNING\n", "instance WAITING\n"])
        self.assertEqual(after, ["step approve COMPLETED", "step done COMPLETED",
                                 "instance COMPLETED"])

    def test_a_failed_instance_is_tried_again(self):
        instance = self.failed_instance("again")
        self.assertEqual(self.get(instance)["status"], "FAILED")
        self.assertEqual(self.millrace_json("instances", "retry", instance)["status"], "ACTIVE")
        self.refused("conflict", "instances", "retry", instance)
        self.complete(self.poll("again"))
        self.assertEqual(self.get(instance)["status"], "COMPLETED")
        history = self.items("instances", "history", instance)
        self.assertEqual([(each["stepId"], each["status"]) for each in history],
                         [("work", "FAILED"), ("work", "COMPLETED"), ("done", "COMPLETED")])

    def test_an_instance_rests_and_goes_on(self):
        self.apply(one_task("resting"))
        instance = self.start("resting")
        suspended = self.millrace_json("instances", "suspend", instance, "--reason", "a holiday")
        self.assertTrue(suspended["suspended"])
        self.assertIn("suspended", self.millrace("instances", "get", instance).stdout)
        poll = {"workerId": "wanda", "jobTypes": ["resting"]}
        reply = self.server.client().post("/v1/jobs/poll", poll)
        self.assertEqual(reply.json()["jobs"], [])
        self.assertNotIn("suspended", self.millrace_json("instances", "resume", instance))
        self.complete(self.poll("resting"))
        for command in ("suspend", "resume"):
            self.refused("conflict", "instances", command, instance)
        [entry] = self.items("audit", "--instance", instance, "--kind", "INSTANCE_SUSPENDED")
        self.assertEqual(entry["details"], {"reason": "a holiday"})

    def test_variables_are_set_and_removed(self):
        self.apply(one_task("changing"))
        instance = self.start("changing", "--var", "a=1", "--var", "b=2")
        changed = self.millrace_json("instances", "set", instance, "--var", "a=text",
                                     "--variables", '{"c": [1]}', "--remove", "b",
                                     "--expected-version", "0")
        self.assertEqual((changed["variables"], changed["variablesVersion"]),
                         ({"a": "text", "c": [1]}, 1))
        self.refused("conflict", "instances", "set", instance, "--var", "a=1",
                     "--expected-version", "0")
        self.millrace("instances", "set", instance, expect=2)

    def test_many_are_cancelled_by_a_filter(self):
        self.apply(one_task("many"))
        instances = [self.start("many", "--business-key", f"k{n % 2}") for n in range(4)]
        cancel = ["instances", "cancel", "--definition", "many"]
        self.assertEqual(self.millrace(*cancel, "--dry-run").stdout, "4 would be cancelled.\n")
        self.assertIn("--yes", self.millrace(*cancel, expect=2).stderr)
        self.assertEqual(self.get(instances[0])["status"], "ACTIVE", "Nobody has agreed.")
        report = self.millrace_json(*cancel, "--business-key", "k0", "--yes", "--reason", "a typo")
        self.assertEqual(report, {"matched": 2, "cancelled": 2, "failed": [], "dryRun": False})
        self.assertEqual(self.get(instances[0])["failureReason"], "a typo")
        self.assertEqual(self.millrace(*cancel, "--yes", "--limit", "1").stdout,
                         "1 cancelled, 0 failed.\n")
        self.assertEqual([self.get(each)["status"] for each in instances],
                         ["CANCELLED", "CANCELLED", "CANCELLED", "ACTIVE"], "The oldest first.")
        self.assertEqual(self.millrace(*cancel, "--yes").stdout, "1 cancelled, 0 failed.\n")
        self.assertEqual(self.millrace(*cancel, "--yes").stdout, "0 cancelled, 0 failed.\n")
        self.millrace("instances", "cancel", "--yes", expect=2)
        self.millrace("instances", "cancel", instances[0], "--definition", "many", expect=2)

    def test_a_start_is_done_once_per_key(self):
        self.apply(one_task("keyed"))
        options = ["--idempotency-key", "order 7", "--var", "a=1"]
        self.assertEqual(self.start("keyed", *options), self.start("keyed", *options))
        self.refused("unprocessable", "instances", "start", "keyed", "--idempotency-key", "order 7")

    def test_a_signal_is_taken_once_per_key(self):
        self.apply(definition("waits", step("wait", "WAIT", nextStep="rest"),
                              step("rest", "WAIT", nextStep="done"), step("done", "END")))
        instance = self.start("waits")
        signal = ["instances", "signal", instance, "wait", "--var", "a=1"]
        for _ in range(2):
            after = self.millrace_json(*signal, "--idempotency-key", "once")
            self.assertEqual(after["currentStepIds"], ["rest"])
        self.refused("conflict", *signal)


class DefinitionsTest(OperationsTestCase):
    def test_versions_are_listed_shown_and_compared(self):
        file = self.directory / "versions.json"
        for retries in (1, 2, 3):
            file.write_text(json.dumps(one_task("versions", retryCount=retries)))
            self.millrace("definitions", "apply", str(file))
        listed = self.items("definitions", "list", "--versions-of", "versions")
        self.assertEqual([each["version"] for each in listed], [3, 2, 1])
        [latest] = self.items("definitions", "list", "--keyword", "VERSIONS")
        self.assertEqual(latest["version"], 3)
        for options, retries in [([], 3), (["--definition-version", "1"], 1)]:
            shown = json.loads(self.millrace("definitions", "get", "versions", *options).stdout)
            self.assertEqual(shown["steps"][0]["retryCount"], retries)
        self.assertEqual(self.millrace("definitions", "diff", str(file)).stdout, "")
        file.write_text(json.dumps(one_task("versions", retryCount=2)))
        self.assertIn('-      "retryCount": 3,',
                      self.millrace("definitions", "diff", str(file), expect=1).stdout)
        for arguments in (["get", "nothing"], ["get", "versions", "--definition-version", "9"],
                          ["list", "--versions-of", "nothing"]):
            with self.subTest(arguments):
                self.refused("not-found", "definitions", *arguments)


class OutputTest(OperationsTestCase):
    def test_every_list_has_three_forms(self):
        self.failed_instance("formed")
        self.apply(approval("formed_too"))
        self.start("formed_too")
        self.start("formed")
        for command in (["definitions", "list"], ["instances", "list"], ["tasks", "list"],
                        ["jobs", "list"], ["audit"]):
            with self.subTest(" ".join(command)):
                items = self.items(*command)
                self.assertGreater(len(items), 0)
                yaml = self.millrace(*command, "--output", "yaml").stdout
                self.assertTrue(yaml.startswith("---\nitems:\n  - id: "), yaml)
                table = self.millrace(*command).stdout.splitlines()
                self.assertEqual(len(table), len(items) + 1)
                self.assertRegex(table[0], r"^[A-Z]+(  +[A-Z]+( [A-Z]+)?)+$")

    def test_errors_are_documents_for_programs(self):
        said = self.millrace("jobs", "get", NO_ID, "--output", "json", expect=1).stderr
        self.assertEqual(json.loads(said)["error"], "not-found")
        said = self.millrace("jobs", "get", NO_ID, "--output", "yaml", expect=1).stderr
        self.assertTrue(said.startswith("---\nerror: not-found\n"), said)


if __name__ == "__main__":
    CliTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
