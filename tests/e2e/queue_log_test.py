#!/usr/bin/env python3
"""The events of the execution queue in the log of a server: their names, levels and fields. All of
them, one by one, are in src/node/queue_listener_test.cpp.

Usage: queue_log_test.py PROGRAM [unittest arguments]
"""

import datetime
import os
import pathlib
import re
import sys
import unittest

from queue_case import QueueTestCase, remote
from server import ServerTestCase, SqliteStore, wait_until
from temporal import TASK_QUEUE, Temporal

FAR = "2999-01-01T00:00:00Z"
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/reference/log.md"


def documented_events():
    """(level, fields) of each event, by its name."""
    rows = re.findall(r"^\| `(.+?)` \| (\w+) \| (.+?) \|", PAGE.read_text(encoding="utf-8"), re.M)
    return {name: (level, set(re.findall("`(.+?)`", fields))) for name, level, fields in rows}


class EventTestCase(QueueTestCase):
    def check(self, server, level, message, /, **fields):
        """There is such an event, as its page has it, with these fields and no others."""
        line = self.wait_for_event(server, message, **fields)
        self.assertEqual(line["level"], level, line)
        names = set(line) - {"time", "level", "message"}
        self.assertEqual(names, set(fields) | self.free_fields, line)
        documented_level, documented_fields = documented_events()[re.sub(r"\d+", "N", message)]
        self.assertEqual(level, documented_level)
        self.assertLessEqual(names, documented_fields)

    free_fields = frozenset()  # Whose values nobody foresees.

    def release(self, server, statement):
        """Changes the store, and then what waits as late as FAR is ready."""
        self.ask(server.store, f"""
            BEGIN;
            {statement};
            UPDATE execution SET place = 'READY', due_at = NULL, not_before = NULL
            WHERE place = 'DUE';
            UPDATE execution_open SET place = 'READY', due_at = NULL WHERE place = 'DUE';
            COMMIT""")


class RequestEventsTest(EventTestCase):
    store_type = SqliteStore

    def setUp(self):
        self.server = self.new_queue()
        self.upload_task(self.server, "sawing")

    def test_an_enqueue(self):
        execution_id = self.request(self.server, "sawing")
        self.check(self.server, "info", "Enqueueing workflow execution", definition="sawing",
                   workspace="default")
        self.check(self.server, "info", "Enqueued execution", id=execution_id, definition="sawing",
                   workspace="default")
        self.check(self.server, "info", "Dispatched execution", executionId=execution_id,
                   queueItemId=execution_id)
        messages = self.server.log_messages()
        self.assertLess(messages.index("Enqueueing workflow execution"),
                        messages.index("Enqueued execution"))

    def test_a_refused_enqueue_is_no_event(self):
        reply = self.server.client().post(
            "/v1/workspaces/default/executions", {"definitionId": "nobody"})
        self.assertEqual(reply.status, 404)
        self.request(self.server, "sawing")
        self.wait_for_event(self.server, "Enqueued execution")
        self.assertEqual(len(self.events(self.server, "Enqueueing workflow execution")), 1)

    def test_a_deadline_that_passes(self):
        self.server.client().call("PATCH", "/v1/workspaces/default", {"paused": True})
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=1)
        execution_id = self.request(self.server, "sawing", deadline=soon.isoformat())
        self.free_fields = {"error"}
        self.check(self.server, "error", "Error processing queue item", queueItemId=execution_id,
                   reason="DEADLINE_EXCEEDED", attemptCount=0)
        failed = 'queue_items_failed_total{reason="DEADLINE_EXCEEDED"}'
        self.assertEqual(self.metric(self.server, failed), 1)


class NativeEventsTest(EventTestCase):
    def setUp(self):
        self.server = self.new_queue("--dispatcher-poll-interval", "0.5")
        self.upload_task(self.server, "sawing")

    def enqueue_one(self, **options):
        return self.enqueue(self.server.store, "sawing", **options)

    def test_a_dispatch(self):
        execution_id = self.enqueue_one()
        self.check(self.server, "debug", "Processing 1 queue items", batchSize=1)
        self.check(self.server, "info", "Dispatching queue item", queueItemId=execution_id,
                   definitionId="sawing")
        self.check(self.server, "info", "Dispatched execution", executionId=execution_id,
                   queueItemId=execution_id)
        messages = self.server.log_messages()
        places = [messages.index(each) for each in (
            "Processing 1 queue items", "Dispatching queue item", "Dispatched execution")]
        self.assertEqual(places, sorted(places))

    def test_an_empty_queue_is_silent(self):
        def rounds():
            return self.metric(self.server, "queue_processing_runs_total")

        seen = len(self.server.log)
        until = rounds() + 3
        wait_until(lambda: rounds() >= until, "rounds")
        told = [line for line in self.server.log[seen:] if "Answered a request." not in line]
        self.assertEqual(told, [])

    def test_a_full_workspace_is_told_of_once(self):
        self.ask(self.server.store, "UPDATE workspace SET max_active = 1 WHERE id = 'default'")
        first = self.enqueue_one()
        self.wait_for_status(self.server.store, first, "DISPATCHED")
        self.enqueue_one()
        self.enqueue_one()
        self.check(self.server, "info", "Workspace at capacity", workspaceId="default",
                   activeCount=1, limit=1)
        self.assertEqual(len(self.events(self.server, "Workspace at capacity")), 1)

    def test_a_workspace_that_is_gone(self):
        execution_id = self.enqueue_one(notBefore=FAR)
        self.release(self.server, "DELETE FROM workspace")
        self.check(self.server, "warn", "Workspace not found", workspaceId="default",
                   queueItemId=execution_id)

    def test_a_definition_that_is_gone(self):
        execution_id = self.enqueue_one(notBefore=FAR)
        self.release(self.server, "DELETE FROM definition")
        self.free_fields = {"error"}
        self.check(self.server, "error", "Error processing queue item", queueItemId=execution_id,
                   reason="DEFINITION_NOT_FOUND", attemptCount=0)


class TemporalEventsTest(EventTestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporal = Temporal()
        cls.addClassCleanup(cls.temporal.discard)
        cls.temporal.start()
        worker = cls.temporal.new_worker()
        cls.addClassCleanup(worker.stop)

    def setUp(self):
        self.proxy = self.temporal.new_proxy()
        self.addCleanup(self.proxy.stop)
        self.server = self.new_queue(
            "--temporal-address", self.proxy.address, "--temporal-task-queue", TASK_QUEUE,
            "--dispatcher-call-timeout", "2", "--dispatcher-lease-seconds", "5")
        self.store = self.server.store
        self.upload(self.server, remote("echoing", "Echo"))

    def test_a_dispatch(self):
        execution_id = self.enqueue(self.store, "echoing")
        self.check(self.server, "info", "Dispatching queue item", queueItemId=execution_id,
                   definitionId="echoing")
        self.check(self.server, "info", "Dispatched execution", executionId=execution_id,
                   queueItemId=execution_id)

    def test_a_start_that_is_refused(self):
        document = remote("lost", "Echo", maxAttempts=2)
        document["executor"]["namespace"] = "nowhere"
        self.upload(self.server, document)
        execution_id = self.enqueue(self.store, "lost")
        self.wait_for_status(self.store, execution_id, "FAILED")
        self.free_fields = {"error"}
        self.check(self.server, "error", "Failed to start Temporal workflow",
                   queueItemId=execution_id, code="NOT_FOUND")
        self.check(self.server, "error", "Error processing queue item", queueItemId=execution_id,
                   reason="NAMESPACE_NOT_FOUND", attemptCount=2)
        released = self.events(self.server, "Error processing queue item")[0]
        self.assertEqual(released["attemptCount"], 1)

    def test_a_start_whose_answer_is_lost_is_taken_over(self):
        self.proxy.order("lose")
        execution_id = self.enqueue(self.store, "echoing")
        self.check(self.server, "warn", "Recovering 1 stale claimed items", count=1,
                   timeoutSeconds=5)
        self.check(self.server, "info", "Recovered 1 stale queue items", count=1)
        self.wait_for_status(self.store, execution_id, "COMPLETED")

    def test_a_record_that_is_gone_is_made_anew(self):
        self.proxy.order("hold")
        execution_id = self.enqueue(self.store, "echoing")
        self.proxy.wait_for_line("hold done")
        self.ask(self.store, """
            BEGIN;
            DELETE FROM execution;
            DELETE FROM execution_open;
            COMMIT""")
        self.check(self.server, "warn", "Execution not found for retry", executionId=execution_id,
                   queueItemId=execution_id)
        self.assertEqual(self.events(self.server, "Enqueued execution"), [])


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
