#!/usr/bin/env python3
"""The spans of the execution queue at a collector: their tree, and the traces that go on.

Usage: queue_spans_test.py PROGRAM [unittest arguments]
"""

import os
import pathlib
import re
import sys
import unittest

from client import PATIENCE_SECONDS
from queue_case import QueueTestCase, remote
from server import PostgresStore, ServerTestCase, SqliteStore
from temporal import TASK_QUEUE, Temporal, value_of

TRACE_ID = "0af7651916cd43dd8448eb211c80319c"
ENQUEUER = "b7ad6b7169203331"
SAMPLED = f"00-{TRACE_ID}-{ENQUEUER}-01"
FLOW = "flow:queue_processing"
CLIENT = 3
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/reference/tracing.md"


def documented_tree(executor):
    """(name, children) as the page draws it, siblings sorted."""
    text = PAGE.read_text(encoding="utf-8")
    [drawn] = re.findall(rf"^```text {executor}\n(.*?)^```$", text, re.M | re.S)
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in drawn.splitlines()]

    def below(depth):
        children = []
        while lines and lines[0][0] == depth:
            _, name = lines.pop(0)
            children.append((name, below(depth + 2)))
        return sorted(children)

    [root] = below(0)
    return root


class SpansTestCase(QueueTestCase):
    def setUp(self):
        self.collector = self.new_collector()
        self.server = self.new_queue("--tracing-endpoint", self.collector.url, *self.options())
        self.store = self.server.store

    def options(self):
        return ()

    def wait_for_item(self, execution_id):
        """The step of an execution, once its round is told of as a whole."""

        def search(spans):
            items = [span for span in spans if span.name == "step:process_item" and
                     span.attributes["millrace.execution.id"] == execution_id]
            flows = {span.trace_id for span in spans if span.name.startswith("flow:")}
            return next((item for item in items if item.trace_id in flows), None)

        return self.collector.wait_for(search, PATIENCE_SECONDS)

    def find(self, name, trace_id):
        return self.collector.wait_for(
            lambda spans: next((span for span in spans
                                if (span.name, span.trace_id) == (name, trace_id)), None),
            PATIENCE_SECONDS)

    def tree(self, trace_id):
        """(name, children) of the root of a trace; spans of instances and jobs are not the queue's."""
        spans = [span for span in self.collector.spans if span.trace_id == trace_id and
                 not span.name.startswith(("instance ", "job "))]

        def below(parent):
            return sorted((span.name, below(span.span_id))
                          for span in spans if span.parent_id == parent)

        [root] = below("")
        return root

    def check_times(self, trace_id):
        spans = {span.span_id: span for span in self.collector.spans if span.trace_id == trace_id}
        for span in spans.values():
            self.assertLessEqual(span.started_at, span.ended_at, span)
            parent = spans.get(span.parent_id)
            if parent and span.name.startswith(("step:", "db:", "temporal:")):
                self.assertLessEqual(parent.started_at, span.started_at, span)
                self.assertLessEqual(span.ended_at, parent.ended_at, span)


    def work(self):
        client = self.server.client()
        [job] = client.post("/v1/jobs/poll", {
            "workerId": "w", "jobTypes": ["sawing"], "waitSeconds": 10}).json()["jobs"]
        client.post(f"/v1/jobs/{job['id']}/complete", {"workerId": "w"})
        return job


class RequestSpansTest(SpansTestCase):
    store_type = SqliteStore

    def setUp(self):
        super().setUp()
        self.upload_task(self.server, "sawing")

    def test_a_request_goes_on_in_what_it_enqueues(self):
        execution_id = self.request(self.server, "sawing", headers={"traceparent": SAMPLED})
        item = self.wait_for_item(execution_id)
        self.assertEqual(self.tree(item.trace_id), documented_tree("native"))
        self.work()
        request = self.find("POST /v1/workspaces/{ws}/executions", TRACE_ID)
        self.assertEqual(request.parent_id, ENQUEUER)
        self.assertEqual(self.find("execution.enqueue", TRACE_ID).parent_id, request.span_id)
        self.assertEqual(item.links, [(TRACE_ID, request.span_id)])
        self.assertEqual(self.find("instance sawing", TRACE_ID).parent_id, request.span_id)

    def test_a_trace_begins_with_the_request_when_nobody_sends_one(self):
        item = self.wait_for_item(self.request(self.server, "sawing"))
        [(trace_id, span_id)] = item.links
        request = self.find("POST /v1/workspaces/{ws}/executions", trace_id)
        self.assertEqual((request.span_id, request.parent_id), (span_id, ""))


class PostgresRequestSpansTest(RequestSpansTest):
    store_type = PostgresStore


class NativeSpansTest(SpansTestCase):
    def setUp(self):
        super().setUp()
        self.upload_task(self.server, "sawing")

    def test_a_round_is_the_tree_that_is_documented(self):
        execution_id = self.enqueue(self.store, "sawing", traceparent=SAMPLED)
        item = self.wait_for_item(execution_id)
        self.assertEqual(self.tree(item.trace_id), documented_tree("native"))
        self.check_times(item.trace_id)
        self.assertNotEqual(item.trace_id, TRACE_ID)
        self.assertEqual(item.links, [(TRACE_ID, ENQUEUER)])
        self.assertEqual(item.attributes, {
            "millrace.execution.id": execution_id, "millrace.workspace.id": "default",
            "millrace.definition.id": "sawing", "millrace.definition.version": 1,
            "millrace.executor": "native", "millrace.queue.outcome": "DISPATCHED"})
        tables = sorted(span.attributes["db.collection.name"] for span in self.collector.spans
                        if span.trace_id == item.trace_id and span.name == "db:query")
        self.assertEqual(tables, ["execution_open", "workspace", "workspace_queue"])

    def test_the_trace_of_an_enqueuer_goes_on_in_the_instance(self):
        execution_id = self.enqueue(self.store, "sawing", traceparent=SAMPLED)
        self.wait_for_item(execution_id)
        job = self.work()
        self.assertIn(TRACE_ID, job["traceparent"])
        instance = self.find("instance sawing", TRACE_ID)
        self.assertEqual(instance.parent_id, ENQUEUER)
        self.assertEqual(self.find("job work", TRACE_ID).parent_id, instance.span_id)

    def test_an_instance_that_nobody_traces_goes_on_in_its_round(self):
        item = self.wait_for_item(self.enqueue(self.store, "sawing"))
        self.assertEqual(item.links, [])
        self.work()
        instance = self.find("instance sawing", item.trace_id)
        dispatch = self.find("step:dispatch_native", item.trace_id)
        self.assertEqual(instance.parent_id, dispatch.span_id)

    def test_rounds_that_take_nothing_up_are_not_told_of(self):
        def rounds():
            return self.metric(self.server, "queue_processing_runs_total")

        before = rounds()
        self.enqueue(self.store, "sawing", notBefore="2999-01-01T00:00:00Z")
        self.wait_for_item(self.enqueue(self.store, "sawing"))
        self.assertGreater(rounds(), before)
        self.assertEqual(self.server.stop(), 0)
        flows = [span for span in self.collector.spans if span.name == FLOW]
        self.assertEqual([flow.attributes["millrace.queue.items"] for flow in flows], [1])

    def test_what_is_given_up_is_an_error(self):
        execution_id = self.enqueue(self.store, "sawing", notBefore="2999-01-01T00:00:00Z")
        self.ask(self.store, """
            BEGIN;
            DELETE FROM definition;
            UPDATE execution SET place = 'READY', due_at = NULL;
            UPDATE execution_open SET place = 'READY', due_at = NULL;
            COMMIT""")
        item = self.wait_for_item(execution_id)
        self.assertEqual(item.attributes["millrace.queue.outcome"], "FAILED")
        self.assertEqual(item.status, 2)
        self.assertEqual(self.find("step:mark_failed", item.trace_id).parent_id, item.span_id)

    def test_a_traceparent_that_is_none_is_refused(self):
        with self.assertRaises(Exception) as caught:
            self.enqueue(self.store, "sawing", traceparent="yesterday")
        self.assertIn("traceparent", caught.exception.stderr)


class UnsampledSpansTest(SpansTestCase):
    def options(self):
        return ("--tracing-sample-ratio", "0")

    def test_only_what_an_enqueuer_samples_is_told(self):
        self.upload_task(self.server, "sawing")
        quiet = self.enqueue(self.store, "sawing")
        self.wait_for_status(self.store, quiet, "DISPATCHED")
        item = self.wait_for_item(self.enqueue(self.store, "sawing", traceparent=SAMPLED))
        self.assertEqual(self.tree(item.trace_id), documented_tree("native"))
        self.assertEqual(self.server.stop(), 0)
        told = [span.attributes["millrace.execution.id"] for span in self.collector.spans
                if span.name == "step:process_item"]
        self.assertEqual(told, [item.attributes["millrace.execution.id"]])


class TemporalSpansTest(SpansTestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporal = Temporal()
        cls.addClassCleanup(cls.temporal.discard)
        cls.temporal.start()
        worker = cls.temporal.new_worker()
        cls.addClassCleanup(worker.stop)

    def options(self):
        return ("--temporal-address", self.temporal.address, "--temporal-task-queue", TASK_QUEUE)

    def setUp(self):
        super().setUp()
        self.upload(self.server, remote("echoing", "Echo"))

    def header(self, execution_id):
        begun = self.temporal.history(f"execution-{execution_id}")[0]
        fields = begun["workflowExecutionStartedEventAttributes"]["header"]["fields"]
        return {name: value_of(each) for name, each in fields.items()}

    def test_a_round_is_the_tree_that_is_documented(self):
        execution_id = self.enqueue(self.store, "echoing", traceparent=SAMPLED)
        item = self.wait_for_item(execution_id)
        self.assertEqual(self.tree(item.trace_id), documented_tree("temporal"))
        self.check_times(item.trace_id)
        self.assertEqual(item.links, [(TRACE_ID, ENQUEUER)])
        self.assertEqual(item.attributes["millrace.executor"], "temporal")
        self.assertEqual(self.find("temporal:start_workflow", item.trace_id).kind, CLIENT)
        self.assertEqual(self.header(execution_id)["traceparent"], SAMPLED)

    def test_a_run_that_nobody_traces_goes_on_below_its_start(self):
        execution_id = self.enqueue(self.store, "echoing")
        item = self.wait_for_item(execution_id)
        start = self.find("temporal:start_workflow", item.trace_id)
        self.assertEqual(self.header(execution_id)["traceparent"],
                         f"00-{item.trace_id}-{start.span_id}-01")

    def test_a_start_that_is_refused_says_why(self):
        self.upload(self.server, {
            **remote("lost", "Echo", maxAttempts=1),
            "executor": {"kind": "temporal", "workflowType": "Echo", "namespace": "nowhere"}})
        item = self.wait_for_item(self.enqueue(self.store, "lost"))
        self.assertEqual(item.attributes["millrace.queue.outcome"], "FAILED")
        self.assertEqual(self.find("step:dispatch_temporal", item.trace_id).status, 2)
        self.find("step:mark_failed", item.trace_id)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
