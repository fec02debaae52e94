#!/usr/bin/env python3
"""Definitions that ask for more than one command may take, on a server that others use too.

Usage: budgets_test.py PROGRAM [unittest arguments]

Goal: each fails or goes on by itself, whoever reported is answered, and others are served meanwhile.
"""

import json
import os
import pathlib
import re
import sys
import time
import unittest

from definitions import definition, one_task, step, task, timer
from server import ServerTestCase, keep_no_freed_memory, wait_until

ANSWER_SECONDS_MAX = 3  # On a machine that does other things too. It was 291, 20 and 48.
LATE = "a" * 40 + "b"


class BudgetsTest(ServerTestCase):
    def setUp(self):
        self.server = self.new_server()
        self.client = self.server.client()

    def upload(self, document):
        reply = self.client.post("/v1/definitions", document)
        self.assertEqual(reply.status, 201, reply.text[:300])

    def start(self, definition_id, variables=None):
        reply = self.client.post("/v1/instances", {"definitionId": definition_id,
                                                   "variables": variables or {}})
        self.assertEqual(reply.status, 201, reply.text[:300])
        return reply.json()["id"]

    def instance(self, instance_id):
        return self.client.get(f"/v1/instances/{instance_id}").json()

    def wait_for_failure(self, instance_id):
        wait_until(lambda: self.instance(instance_id)["status"] == "FAILED", "the failure")
        self.assertIn("WorkLimitReached", self.instance(instance_id)["failureReason"])

    def memory_bytes(self):
        status = pathlib.Path(f"/proc/{self.server.pid()}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) << 10

    def test_a_report_before_an_endless_decision_is_answered_at_once(self):
        branches = {f"count(1..9000, # < 0) > {i}": "done" for i in range(255)}
        self.upload(definition("endless", task("work", "endless", "choose"),
                               step("choose", "DECISION",
                                    conditionalNextSteps={**branches, "true": "choose"}),
                               step("done", "END")))
        instance_id = self.start("endless")
        poll = self.client.post("/v1/jobs/poll", {"workerId": "w", "jobTypes": ["endless"],
                                                  "maxJobs": 1, "waitSeconds": 5}).json()
        began = time.monotonic()
        reply = self.client.post(f"/v1/jobs/{poll['jobs'][0]['id']}/complete", {"workerId": "w"})
        self.assertEqual(reply.status, 204, reply.text)
        self.assertLess(time.monotonic() - began, ANSWER_SECONDS_MAX)
        self.wait_for_failure(instance_id)

    def test_a_timer_before_a_costly_transformation_delays_no_other_timer(self):
        costly = {f"v{i}": '${count(1..20, s contains "%s")}' % LATE for i in range(600)}
        self.upload(definition("costly",
                               step("wait", "USER_TASK", nextStep="done",
                                    boundaryEvents=[timer("PT1S", "search", True)]),
                               step("search", "TRANSFORMATION", transformations=costly,
                                    nextStep="done"),
                               step("done", "END")))
        self.upload(definition("timed",
                               step("wait", "USER_TASK", nextStep="done",
                                    boundaryEvents=[timer("PT1S", "done", True)]),
                               step("done", "END")))
        costly_ids = [self.start("costly", {"s": "a" * 1_000_000}) for _ in range(3)]
        timed_ids = [self.start("timed") for _ in range(10)]
        began = time.monotonic()
        for instance_id in timed_ids:
            wait_until(lambda each=instance_id: self.instance(each)["status"] == "COMPLETED",
                       "the timer")
        self.assertLess(time.monotonic() - began, 1 + ANSWER_SECONDS_MAX)
        for instance_id in costly_ids:
            self.wait_for_failure(instance_id)

    def test_a_chain_of_megabytes_lets_others_through(self):
        self.upload(definition("again", step("end", "END"), autoStartNextWorkflow=True,
                               nextWorkflowId="again"))
        self.upload(one_task("other"))
        began = time.monotonic()
        self.start("again", {"blob": "x" * 3_900_000})
        self.assertLess(time.monotonic() - began, ANSWER_SECONDS_MAX)
        for _ in range(5):
            began = time.monotonic()
            self.start("other")
            self.assertLess(time.monotonic() - began, ANSWER_SECONDS_MAX)

    def test_a_regular_expression_holds_its_sets_once(self):
        letters = "".join(chr(0x4E00 + 2 * i) for i in range(4_500))
        pattern = f"(?:[{letters}]{{990}}){{2}}"
        entries = {f"v{i}": "${x matches '%s'}" % pattern for i in range(6)}
        before = self.memory_bytes()
        self.upload(definition("sets", step("match", "TRANSFORMATION", transformations=entries,
                                            nextStep="done"), step("done", "END")))
        self.assertLess(self.memory_bytes() - before, 40 << 20)

    def test_expressions_that_take_too_much_memory_are_refused_with_their_place(self):
        entries = {f"v{i}": "${x matches 'a{990}b{990}'}" for i in range(10_000)}
        before = self.memory_bytes()
        reply = self.client.post("/v1/definitions", json.dumps(definition(
            "programs", step("match", "TRANSFORMATION", transformations=entries, nextStep="done"),
            step("done", "END"))).encode())
        self.assertEqual(reply.status, 400, reply.text[:300])
        self.assertIn('steps[0].transformations["v', reply.json()["details"][0]["path"])
        self.assertIn("bytes of memory", reply.json()["details"][0]["message"])
        self.assertLess(self.memory_bytes() - before, 80 << 20)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    keep_no_freed_memory()
    unittest.main()
