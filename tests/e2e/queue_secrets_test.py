#!/usr/bin/env python3
"""What an execution is given is told to nobody but its executor: not in the log, not in spans, not in
metrics, not in explanations and errors, whatever becomes of it.

Usage: queue_secrets_test.py PROGRAM [unittest arguments]
"""

import json
import os
import secrets
import sys
import unittest

from client import PATIENCE_SECONDS
from definitions import definition, one_task, step
from queue_case import OPEN, QueueTestCase, remote
from server import ServerTestCase, wait_until
from temporal import TASK_QUEUE, Temporal

ENDED = ("COMPLETED", "FAILED", "CANCELLED")
# Every way in which an expression could quote what it cannot use.
EXPRESSIONS = [
    "${card + 1}", "${card < 1}", "${card && true}", "${card.number}", "${details[card].x}",
    "${date(card)}", "${filter(card, #)}", "${-card}", "${card in card}", "${details.pin + 1}",
    "${card ? 1 : 2}", "${int(card)}", "${float(card)}", "${fromJSON(card)}", "${duration(card)}",
    "${'a' matches '[' + card}", "${fromBase64(card + '!')}"]


class SecretsTest(QueueTestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporal = Temporal()
        cls.addClassCleanup(cls.temporal.discard)
        cls.temporal.start()
        worker = cls.temporal.new_worker()
        cls.addClassCleanup(worker.stop)

    def setUp(self):
        self.secret = "sesame" + secrets.token_hex(12)
        self.given = {"card": self.secret, "details": {"pin": self.secret}, self.secret: True}
        self.collector = self.new_collector()
        self.proxy = self.temporal.new_proxy()
        self.addCleanup(self.proxy.stop)
        self.server = self.new_queue(
            "--tracing-endpoint", self.collector.url, "--temporal-address", self.proxy.address,
            "--temporal-task-queue", TASK_QUEUE, "--dispatcher-call-timeout", "2",
            "--dispatcher-lease-seconds", "5")
        self.store = self.server.store

    def run_one(self, document, until=ENDED):
        """The row of an execution of it, when it has one of these statuses."""
        self.upload(self.server, document)
        execution_id = self.enqueue(self.store, document["id"], self.given)
        return self.wait_for_status(self.store, execution_id, *until)

    def poll(self, job_type):
        [job] = self.server.client().post("/v1/jobs/poll", {
            "workerId": "w", "jobTypes": [job_type], "waitSeconds": 10}).json()["jobs"]
        self.assertIn(self.secret, json.dumps(job), "its executor is told")
        return job["id"]

    def check(self, *spans):
        """Nothing has told anybody, at the end of a server that has told of these spans."""
        for name in spans:
            self.collector.wait_for(
                lambda told, name=name: any(span.name == name for span in told), PATIENCE_SECONDS)
        client = self.server.client()
        listed = client.get("/v1/workspaces/default/executions").json()["items"]
        explained = [f"/v1/executions/{each['id']}/explain" for each in listed]
        self.assertTrue(explained)
        for path in (*explained, "/v1/workspaces/default/explain", "/v1/dead-letters/groups",
                     "/v1/audit"):
            reply = client.get(path)
            self.assertEqual(reply.status, 200, reply)
            self.assertNotIn(self.secret, reply.text, path)
        metrics = self.server.metrics_client().get("/metrics").text
        self.assertEqual(self.server.stop(), 0)
        self.assertNotIn(self.secret, metrics)
        for line in self.server.log:
            self.assertNotIn(self.secret, line)
        for body in self.collector.bodies:
            self.assertNotIn(self.secret.encode(), body)
        errors = self.ask(self.store, """
            SELECT json_agg(json_build_array(last_error, error_reason, error_message)) FROM execution
        """)
        self.assertNotIn(self.secret, errors)

    def test_after_requests(self):
        self.upload(self.server, one_task("paying"))
        self.request(self.server, "paying", self.given)
        self.server.client().post(f"/v1/jobs/{self.poll('paying')}/complete", {"workerId": "w"})
        for wrong in (self.secret, [self.secret], {"priority": self.secret}):
            refused = self.server.client().post(
                "/v1/workspaces/default/executions", {"definitionId": "paying", "input": wrong}
                if not isinstance(wrong, dict) else {"definitionId": "paying", **wrong})
            self.assertEqual(refused.status, 400, refused)
        self.check("instance paying", "execution.enqueue")

    def test_after_success(self):
        self.run_one(one_task("paying"), OPEN)
        self.server.client().post(f"/v1/jobs/{self.poll('paying')}/complete", {"workerId": "w"})
        self.assertEqual(self.run_one(remote("echoing", "Echo"))["queue_status"], "COMPLETED")
        self.check("instance paying", "job work", "step:dispatch_native", "temporal:start_workflow")

    def test_after_a_worker_has_failed(self):
        self.run_one(one_task("paying"), OPEN)
        failure = {"workerId": "w", "errorMessage": "declined", "retryable": False}
        self.server.client().post(f"/v1/jobs/{self.poll('paying')}/fail", failure)
        errors = wait_until(lambda: "declined" in self.ask(
            self.store, "SELECT error_message FROM execution"), "its end")
        self.assertTrue(errors)
        self.check("instance paying")

    def test_after_expressions_have_failed(self):
        for number, expression in enumerate(EXPRESSIONS):
            with self.subTest(expression):
                row = self.run_one(definition(
                    f"reckoning-{number}",
                    step("reckon", "TRANSFORMATION", transformations={"x": expression},
                         nextStep="end"),
                    step("end", "END")))
                self.assertEqual(row["queue_status"], "FAILED", row)
        self.check("instance reckoning-0")

    def test_after_a_cluster_has_failed(self):
        failed = self.run_one(remote("failing", "Fail"))
        self.assertEqual(failed["error_reason"], "WORKFLOW_FAILED", failed)
        nowhere = remote("lost", "Echo", maxAttempts=1)
        nowhere["executor"]["namespace"] = "nowhere"
        lost = self.run_one(nowhere)
        self.assertEqual(lost["error_reason"], "NAMESPACE_NOT_FOUND", lost)
        self.check("step:mark_failed")

    def test_after_recovery(self):
        for order in ("lose", "cut", "refuse"):
            self.proxy.order(order)
            row = self.run_one(remote(order, "Echo"))
            self.assertEqual(row["queue_status"], "COMPLETED", row)
        self.wait_for_event(self.server, "Recovered 1 stale queue items")
        self.check("flow:queue_recovery")


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
