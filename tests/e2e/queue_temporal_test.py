#!/usr/bin/env python3
"""Executions that run on a real Temporal, which is killed, lied about and comes back.

Usage: queue_temporal_test.py PROGRAM sqlite|postgres [unittest arguments]
MILLRACE_EXECUTIONS: how many are under way while everything is struck (200).

Goal: each execution is one workflow there and ends as that does, whatever dies in between; no limit is
exceeded, and an executor that is away costs no attempt.
Method: Temporal's own server with its state on disk, a worker of ours, and a proxy that loses starts.
Every order of events and every answer is tested with scripted executors in src/queue/*_test.cpp, and
the client alone in tests/integration/temporal and temporal_test.py.
"""

import json
import os
import pathlib
import re
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checker"))

from client import PATIENCE_SECONDS
from contract_queue import QueueTestCase
from definitions import definition, step, task
from queue_checker import Limits, QueueObserved, check_queue
from queue_load import read_executions
from queue_record import begin_record, read_record
from server import PostgresStore, Server, SqliteStore, wait_until
from temporal import TASK_QUEUE, Temporal, value_of

EXECUTIONS = int(os.environ.get("MILLRACE_EXECUTIONS", "200"))
BATCH = 100
LEASE_SECONDS = 4
# A call ends well before its lease, and looks come soon.
QUICK = ("--dispatcher-lease-seconds", str(LEASE_SECONDS), "--dispatcher-call-timeout", "1.5",
         "--dispatcher-poll-interval", "1")
LONG_SECONDS = 4 * PATIENCE_SECONDS
LIMITS = {"one": Limits(1), "few": Limits(10), "many": Limits(40)}
SHARES = {"one": 0.02, "few": 0.2, "many": 0.78}  # Of the executions: all end at about the same time.


def elsewhere(definition_id, workflow_type, *steps, **executor):
    return {"id": definition_id, "name": definition_id, **({"steps": list(steps)} if steps else {}),
            "executor": {"kind": "temporal", "workflowType": workflow_type, **executor}}


def workflow_id(execution_id):
    return f"execution-{execution_id}"


class QueueTemporalTestCase(QueueTestCase):
    """One Temporal with a worker for all tests of a class."""

    program = ""
    store_kind = None

    @classmethod
    def setUpClass(cls):
        cls.temporal = Temporal()
        cls.addClassCleanup(cls.temporal.discard)
        cls.temporal.start()
        cls.worker = cls.temporal.new_worker()
        cls.addClassCleanup(cls.worker.stop)

    def new_store(self):
        store = self.store_kind()
        self.addCleanup(store.remove)
        return store

    def new_server(self, store, address=None):
        """All calls of the test go to it from now on."""
        server = Server(self.program, store, "--temporal-address", address or self.temporal.address,
                        "--temporal-task-queue", TASK_QUEUE, *QUICK)
        self.addCleanup(server.discard)
        self.use(server.start())
        return server

    def use(self, server):
        self.server = server
        self.client = self.new_client()

    def new_proxy(self):
        proxy = self.temporal.new_proxy()
        self.addCleanup(proxy.stop)
        return proxy

    def metric(self, name, labels=""):
        client = self.server.metrics_client()
        text = client.get("/metrics").text
        client.close()
        found = re.search(rf"^{re.escape(name + labels)} (\S+)$", text, re.MULTILINE)
        return float(found[1]) if found else None

    def expect_one_run(self, execution_id):
        wait_until(lambda: self.temporal.count_runs(workflow_id(execution_id)) == 1, "its one run")


class EndsTest(QueueTemporalTestCase):
    """One server for all: how a run ends is how its execution ends."""

    def setUp(self):
        super().setUp()
        self.new_server(self.new_store())
        self.new_workspace("ends")

    def start(self, workflow_type, given=None, **executor):
        name = workflow_type + "".join(executor)
        self.client.post("/v1/workspaces/ends/definitions",
                         elsewhere(name, workflow_type, **executor))
        return self.enqueue("ends", name, input=given or {})["id"]

    def running(self, *arguments, **options):
        execution_id = self.start(*arguments, **options)
        self.wait_for(execution_id, "DISPATCHED")
        return execution_id

    def expect_end(self, execution_id, status, reason=None, result=None):
        over = self.wait_for(execution_id, status)
        self.assertEqual(over.get("error", {}).get("reason"), reason, over)
        self.assertEqual(over.get("result"), result, over)
        self.assertEqual(over["workflowId"], workflow_id(execution_id))
        self.assertEqual(over["attemptCount"], 0)
        return over

    def test_a_run_ends_by_itself(self):
        ends = [
            (self.start("Nothing"), "COMPLETED", None, None),
            (self.start("Fail"), "FAILED", "WORKFLOW_FAILED", None),
            (self.start("FailInActivity"), "FAILED", "WORKFLOW_FAILED", None),
            (self.start("Wait", timeouts={"run": "PT1S"}), "FAILED", "TIMED_OUT", None),
            (self.start("ContinueAsNew", {"times": 2}), "COMPLETED", None, "continued"),
            (self.start("FailFirst", {"times": 1}, retry={"initialInterval": "PT0.1S"}),
             "COMPLETED", None, "at last"),
            (self.start("Report", {"reportTo": f"http://127.0.0.1:{self.server.rest_port}"}),
             "COMPLETED", None, {"reported": True})]
        for execution_id, *end in ends:
            self.expect_end(execution_id, *end)
        self.assertIn("on purpose", self.execution(ends[1][0])["error"]["message"])
        self.assertIn("no such account", self.execution(ends[2][0])["error"]["message"])

    def test_a_run_is_ended(self):
        asked, forced, faster, elsewhere_, signalled = (
            self.running(each) for each in ("Wait", "Wait", "FinishOnCancel", "Wait", "Wait"))
        self.post(f"/v1/executions/{asked}/cancel", {"reason": "enough"})
        self.post(f"/v1/executions/{forced}/cancel", {"force": True})
        self.post(f"/v1/executions/{faster}/cancel")
        self.temporal.terminate(workflow_id(elsewhere_))
        self.temporal.signal(workflow_id(signalled))
        for each in (asked, forced):
            self.assertIn("cancelRequestedAt", self.wait_for(each, "CANCELLED"))
        self.assertEqual(self.temporal.status(workflow_id(asked)), "CANCELED")
        self.assertEqual(self.temporal.status(workflow_id(forced)), "TERMINATED")
        self.expect_end(faster, "COMPLETED", None, "finished instead")
        self.expect_end(elsewhere_, "FAILED", "TERMINATED")
        self.expect_end(signalled, "COMPLETED", None, "finished")

    def test_runs_that_follow_each_other_keep_the_slot(self):
        self.post("/v1/workspaces", {"id": "chain", "plan": "FREE"}, 201)
        self.post("/v1/workspaces/chain/definitions", elsewhere("again", "ContinueAsNew"), 201)
        first = self.enqueue("chain", "again", input={"times": 2, "waits": True})["id"]
        begun = self.wait_for(first, "DISPATCHED")["runId"]
        second = self.enqueue("chain", "again")["id"]
        wait_until(lambda: self.temporal.count_runs(workflow_id(first)) == 3, "three runs")
        self.assertEqual(self.execution(second)["queueStatus"], "PENDING")
        self.assertEqual(self.queue("chain")["active"], 1)
        self.temporal.signal(workflow_id(first))
        self.assertNotEqual(self.wait_for(first, "COMPLETED")["runId"], begun)
        self.wait_for(second, "COMPLETED")

    def test_a_workflow_gets_what_was_enqueued_unchanged(self):
        steps = definition("echo", task("pack", "pack", "ship"), task("ship", "ship", "done"),
                           step("done", "END"))["steps"]
        self.post("/v1/workspaces/ends/definitions", elsewhere("echo", "Echo", *steps), 201)
        # Whole numbers beyond what a double keeps: over REST 64 bits are exact, larger ones are doubles.
        text = '{"z":9223372036854775807,"y":9007199254740993,"a":[0.10,null,{"ü":"\\u0000\\"x"}],"big":1e300,"empty":{}}'
        body = ('{"definitionId":"echo","input":' + text + "}").encode()
        execution_id = self.post("/v1/workspaces/ends/executions", body, 202).json()["id"]
        over = self.wait_for(execution_id, "COMPLETED")
        wanted = {"executionId": execution_id, "workspaceId": "ends", "definitionId": "echo",
                  "definitionVersion": 1, "nodeIds": ["pack", "ship", "done"],
                  "input": json.loads(text)}
        begun = self.temporal.history(workflow_id(execution_id))[0]
        begun = begun["workflowExecutionStartedEventAttributes"]
        [given] = begun["input"]["payloads"]
        self.assertEqual(value_of(given), wanted)
        memo = {name: value_of(each) for name, each in begun["memo"]["fields"].items()}
        self.assertEqual(memo, {name: wanted[name] for name in (
            "executionId", "workspaceId", "definitionId", "definitionVersion")})
        self.assertEqual(over["input"], wanted["input"])
        self.assertEqual(over["result"], wanted)

    def test_a_workflow_of_somebody_else_under_our_id_is_a_conflict(self):
        self.pause("ends", True)
        execution_id = self.start("Wait")
        self.temporal.start_workflow(workflow_id(execution_id), "Wait")
        self.pause("ends", False)
        failed = self.wait_for(execution_id, "FAILED")
        self.assertEqual(failed["error"]["reason"], "WORKFLOW_ID_CONFLICT")
        self.assertEqual(self.temporal.status(workflow_id(execution_id)), "RUNNING")


class DoubtTest(QueueTemporalTestCase):
    """Starts whose answers never come, through a proxy. FREE workspaces: a slot that is freed too
    early, or never, shows at once in the one that waits."""

    def setUp(self):
        super().setUp()
        self.proxy = self.new_proxy()
        self.store = self.new_store()
        self.first = self.new_server(self.store, self.proxy.address)

    def enqueue_two(self, workspace):
        self.new_workspace(workspace, elsewhere("echo", "Echo"), plan="FREE")
        return [self.enqueue(workspace, "echo")["id"] for _ in range(2)]

    def expect_both(self, ids):
        for each in ids:
            over = self.wait_for(each, "COMPLETED")
            self.assertEqual(over["attemptCount"], 0)
            self.expect_one_run(each)
        first, second = map(self.execution, ids)
        self.assertLessEqual(first["completedAt"], second["claimedAt"])
        return first

    def test_a_start_whose_answer_is_lost_is_one_run(self):
        for order in ("lose", "hold", "cut", "refuse"):
            with self.subTest(order):
                self.proxy.order(order)
                first = self.expect_both(self.enqueue_two(order))
                self.assertGreater(first["recoveries"] + first["deferrals"], 0)

    def test_a_server_that_is_killed_in_the_middle_of_a_start_finds_it_again(self):
        for order in ("hold", "cut"):
            with self.subTest(order):
                self.proxy.order(order)
                ids = self.enqueue_two(order)
                wait_until(lambda: f"{order} done" in self.proxy.lines, order)
                self.first.kill()
                self.use(self.first.start())
                self.expect_both(ids)

    def test_a_cancel_while_its_start_is_in_doubt_ends_it_there(self):
        self.new_workspace("doubt", elsewhere("wait", "Wait"), plan="FREE")
        self.proxy.order("hold")
        execution_id = self.enqueue("doubt", "wait")["id"]
        wait_until(lambda: "hold done" in self.proxy.lines, "its start")
        asked = self.post(f"/v1/executions/{execution_id}/cancel").json()
        self.assertEqual(asked["queueStatus"], "CLAIMED")
        self.wait_for(execution_id, "CANCELLED")
        self.assertEqual(self.temporal.status(workflow_id(execution_id)), "CANCELED")

    def test_a_server_that_is_frozen_beyond_its_lease_changes_nothing(self):
        if self.store_kind is SqliteStore:
            self.skipTest("One server only.")
        self.proxy.order("hold")
        ids = self.enqueue_two("frozen")
        wait_until(lambda: "hold done" in self.proxy.lines, "its start")
        self.first.send_signal(signal.SIGSTOP)
        self.new_server(self.store)
        first = self.expect_both(ids)
        self.assertGreater(first["recoveries"], 0)
        self.first.send_signal(signal.SIGCONT)
        self.use(self.first)
        self.assertEqual(self.execution(ids[0]), first)
        self.assertEqual(self.queue("frozen")["active"], 0)


class OutageTest(QueueTemporalTestCase):
    def test_an_executor_that_is_away_costs_no_attempt(self):
        self.new_server(self.new_store())
        self.new_workspace("away", elsewhere("echo", "Echo"), maxActive=10)
        self.temporal.kill()
        ids = [self.enqueue("away", "echo")["id"] for _ in range(20)]
        labels = '{target="default"}'
        wait_until(lambda: self.metric("millrace_queue_breaker_open", labels) == 1, "the breaker")
        wait_until(lambda: any(self.execution(each)["deferrals"] for each in ids), "a deferral")
        waiting = next(each for each in ids if self.execution(each)["queueStatus"] == "PENDING")
        codes = [each["code"] for each in
                 self.get(f"/v1/executions/{waiting}/explain").json()["reasons"]]
        self.assertTrue({"TARGET_UNREACHABLE", "DEFERRED"} & set(codes), codes)
        self.assertEqual(self.get("/v1/workspaces/away/dead-letters").json()["items"], [])
        self.temporal.start()
        for each in ids:
            over = self.wait_for(each, "COMPLETED")
            self.assertEqual(over["attemptCount"], 0)
        wait_until(lambda: self.metric("millrace_queue_breaker_open", labels) == 0, "the breaker")
        self.assertEqual(self.queue("away")["active"], 0)


class StruckTest(QueueTemporalTestCase):
    """Many executions, while Temporal and servers are killed."""

    replicas = 3

    def enqueue_all(self):
        """The ids of all, by their keys."""
        ids = {}
        for workspace in LIMITS:
            count = round(EXECUTIONS * SHARES[workspace])
            items = [{"definitionId": "echo", "idempotencyKey": key, "input": {"key": key}}
                     for key in (f"{workspace} {each}" for each in range(count))]
            for first in range(0, count, BATCH):
                part = items[first:first + BATCH]
                for _ in range(2):  # Again, as a client that got no answer.
                    results = self.post(f"/v1/workspaces/{workspace}/executions:batch",
                                        {"executions": part}).json()["results"]
                    ids |= {item["idempotencyKey"]: each["execution"]["id"]
                            for item, each in zip(part, results)}
        return ids

    def completed(self):
        """How many, as far as the list knows."""
        return sum(self.get(f"/v1/workspaces/{each}/executions?status=COMPLETED&pageSize=1")
                   .json()["total"] for each in LIMITS)

    def wait_for_completed(self, count):
        wait_until(lambda: self.completed() >= count, f"{count} executions", LONG_SECONDS)

    def test_each_runs_once_whatever_is_killed(self):
        store = self.new_store()
        begin_record(self.program, store)
        is_alone = self.store_kind is SqliteStore
        servers = [self.new_server(store) for _ in range(1 if is_alone else self.replicas)]
        for workspace, limits in LIMITS.items():
            self.new_workspace(workspace, elsewhere("echo", "Echo"), maxActive=limits.active)
        ids = self.enqueue_all()

        self.wait_for_completed(len(ids) // 4)
        self.temporal.kill()
        servers[0].kill()
        self.temporal.start()
        servers[0].start()
        self.use(servers[-1])
        self.wait_for_completed(len(ids) // 2)
        if is_alone:
            servers[0].kill()
            self.use(servers[0].start())
        else:
            servers[0].send_signal(signal.SIGSTOP)
            self.wait_for_completed(len(ids) * 3 // 4)
            servers[0].send_signal(signal.SIGCONT)
        self.wait_for_completed(len(ids))
        self.judge(store, servers, ids)

    def judge(self, store, servers, ids):
        self.use(servers[-1])
        executions = {}
        for workspace in LIMITS:
            executions |= read_executions(self.client, workspace)
        for each in executions.values():
            self.assertEqual(each["attemptCount"], 0, each)
            self.assertEqual(each["result"]["executionId"], each["id"])
            self.assertEqual(each["result"]["input"], each["input"])
        names = {workflow_id(each): each for each in executions}

        def runs():
            counts = self.temporal.run_counts()
            return {each: counts[name] for name, each in names.items()}

        wait_until(lambda: all(runs().values()), "all runs in Temporal's list")
        active = {each: self.queue(each)["active"] for each in LIMITS}
        for each in servers:
            self.assertEqual(each.stop(), 0)
        record = read_record(store)
        taken = sum(each.place == "ACTIVE" for each in record)
        print(f"{len(executions)} executions, {len(record)} moves, {taken} of them with a slot.", flush=True)
        self.assertEqual(check_queue(QueueObserved(
            moves=record, limits=LIMITS, executions=executions, accepted=tuple(ids.items()),
            runs=runs(), active=active, slots_each_max=sys.maxsize))[:20], [])
        self.assertEqual(len(executions), len(ids))


if __name__ == "__main__":
    QueueTemporalTestCase.program = os.path.abspath(sys.argv.pop(1))
    QueueTemporalTestCase.store_kind = {
        "sqlite": SqliteStore, "postgres": PostgresStore}[sys.argv.pop(1)]
    unittest.main()
