#!/usr/bin/env python3
"""The client of Temporal against a server that is killed, restarted and lied about.

Usage: temporal_test.py TEMPORAL_START [unittest arguments]
"""

import json
import subprocess
import sys
import unittest

from client import PATIENCE_SECONDS
from server import wait_until
from temporal import Temporal, value_of


class TemporalTest(unittest.TestCase):
    program = ""

    @classmethod
    def setUpClass(cls):
        cls.temporal = Temporal()
        cls.addClassCleanup(cls.temporal.discard)
        cls.temporal.start()
        cls.worker = cls.temporal.new_worker()
        cls.addClassCleanup(cls.worker.stop)

    def start(self, *options, address=None, starts=1):
        """What the client says of starts."""
        done = subprocess.run(
            [self.program, "--address", address or self.temporal.address, "--starts", str(starts),
             *options],
            check=True, text=True, capture_output=True, timeout=PATIENCE_SECONDS)
        return json.loads(done.stdout)

    def new_proxy(self):
        proxy = self.temporal.new_proxy()
        self.addCleanup(proxy.stop)
        return proxy

    def wait_for_status(self, workflow_id, status):
        wait_until(lambda: self.temporal.status(workflow_id) == status, f"{workflow_id} {status}")

    def test_many_starts_are_as_many_runs(self):
        told = self.start(starts=50)
        self.assertEqual(told["outcomes"], {"started": 50})
        self.assertEqual(told["took"]["count"], 50)
        self.wait_for_status(told["lastWorkflowId"], "COMPLETED")

    def test_a_run_is_told_what_was_asked_for(self):
        trace_parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        workflow_id = self.start(
            "--input-bytes", "3", "--trace-parent", trace_parent)["lastWorkflowId"]
        execution_id = workflow_id.removeprefix("execution-")
        self.wait_for_status(workflow_id, "COMPLETED")
        begun = self.temporal.history(workflow_id)[0]["workflowExecutionStartedEventAttributes"]
        [given] = begun["input"]["payloads"]
        self.assertEqual(value_of(given), {
            "executionId": execution_id, "workspaceId": "bench", "input": "xxx"})
        memo = {name: value_of(each) for name, each in begun["memo"]["fields"].items()}
        self.assertEqual(memo, {
            "executionId": execution_id, "workspaceId": "bench", "definitionId": "bench",
            "definitionVersion": 1})
        header = {name: value_of(each) for name, each in begun["header"]["fields"].items()}
        self.assertEqual(header, {
            "traceparent": trace_parent, "_tracer-data": {"traceparent": trace_parent}})
        self.assertEqual(begun["identity"], "millrace")

    def test_runs_survive_a_kill_of_the_server(self):
        workflow_id = self.start("--workflow-type", "Wait")["lastWorkflowId"]
        self.temporal.kill()
        self.assertEqual(self.start()["outcomes"], {"unreachable": 1})
        self.temporal.start()
        self.assertEqual(self.temporal.status(workflow_id), "RUNNING")
        self.temporal.signal(workflow_id)
        self.wait_for_status(workflow_id, "COMPLETED")
        self.assertEqual(self.start()["outcomes"], {"started": 1})

    def test_a_restarted_server_is_the_same(self):
        workflow_id = self.start("--workflow-type", "Wait")["lastWorkflowId"]
        self.temporal.restart()
        self.temporal.terminate(workflow_id, "done with it")
        self.assertEqual(self.temporal.status(workflow_id), "TERMINATED")
        self.assertIsNone(self.temporal.status("execution-nobody"))

    def test_an_answer_that_is_lost_leaves_the_outcome_open(self):
        proxy = self.new_proxy()
        for order, code in (("lose", "UNAVAILABLE"), ("hold", "DEADLINE_EXCEEDED")):
            with self.subTest(order):
                proxy.order(order)
                told = self.start("--timeout", "2", address=proxy.address)
                self.assertEqual(told["outcomes"], {"unknown": 1})
                self.assertIn(code, told["lastError"])
                # It has happened, and once.
                self.wait_for_status(told["lastWorkflowId"], "COMPLETED")
                wait_until(lambda: self.temporal.count_runs(told["lastWorkflowId"]) == 1, "its run")

    def test_a_start_that_is_cut_off_or_turned_away_did_not_happen_but_that_is_not_known(self):
        proxy = self.new_proxy()
        for order in ("cut", "refuse"):
            with self.subTest(order):
                proxy.order(order)
                told = self.start(address=proxy.address)
                self.assertEqual(told["outcomes"], {"unknown": 1})
                self.assertIsNone(self.temporal.status(told["lastWorkflowId"]))
        self.assertEqual(self.start(address=proxy.address)["outcomes"], {"started": 1})

    def test_a_proxy_without_a_server_cannot_tell(self):
        proxy = self.new_proxy()
        self.temporal.stop()
        told = self.start(address=proxy.address)
        self.temporal.start()
        self.assertEqual(told["outcomes"], {"unreachable": 1}, told["lastError"])


if __name__ == "__main__":
    TemporalTest.program = sys.argv.pop(1)
    unittest.main()
