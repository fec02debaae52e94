"""Server-sent events of an instance: as they happen, resumed, and ended with it."""

import json

from contract_case import NO_ID, ContractTestCase
from definitions import definition, one_task, step, task
from event_stream import EventStream
from server import wait_until
from wire_contract import wire_contract

SCHEMAS = {"step": "StepExecution", "instance": "InstanceEvent"}


class EventsTest(ContractTestCase):
    def watch(self, instance_id, query="", headers=None):
        path = f"/v1/instances/{instance_id}/events{query}"
        stream = EventStream(self.server.rest_port, path, headers)
        self.addCleanup(stream.close)
        self.assertEqual(stream.response.status, 200)
        self.assertEqual(stream.response.headers["Content-Type"].split(";")[0],
                         "text/event-stream")
        return stream

    def check(self, events):
        """Every event fits its schema, and ids grow where there are any."""
        for each in events:
            wire_contract().check_value(
                each["event"], {"$ref": f"#/components/schemas/{SCHEMAS[each['event']]}"},
                json.loads(each["data"]))
        ids = [int(each["id"]) for each in events if "id" in each]
        self.assertEqual(ids, sorted(set(ids)))

    @staticmethod
    def steps_told(stream):
        return [(each["stepId"], each["status"]) for each in stream.data("step")]

    def test_an_instance_is_watched_to_its_end(self):
        self.upload(definition("watched", task("one", "watched_1", "two"),
                               task("two", "watched_2", "done"), step("done", "END")))
        instance_id = self.start("watched", variables={"secret": 1})["id"]
        stream = self.watch(instance_id)
        wait_until(lambda: stream.data("instance"), "the event of the beginning")
        self.assertEqual((stream.data("instance")[0]["status"],
                          stream.data("instance")[0]["currentStepIds"]), ("ACTIVE", ["one"]))
        self.complete_job(self.claim("watched_1")["id"])
        # A step that ends before anybody has looked is only told of at its end.
        wait_until(lambda: ("two", "RUNNING") in self.steps_told(stream), "the second step")
        self.complete_job(self.claim("watched_2")["id"])
        wait_until(lambda: stream.has_ended, "the end of the stream")
        self.check(stream.events)
        closed = [each["stepId"] for each in stream.data("step") if each["status"] == "COMPLETED"]
        self.assertEqual(closed, ["one", "two", "done"])
        last = stream.events[-1]
        self.assertEqual((last["event"], json.loads(last["data"])["status"]),
                         ("instance", "COMPLETED"))
        self.assertNotIn("variables", json.loads(last["data"]))

    def test_a_stream_is_resumed_after_an_event(self):
        self.upload(one_task("resumed"))
        instance_id = self.start("resumed")["id"]
        first = self.watch(instance_id)
        wait_until(lambda: first.events, "an event")
        self.complete_job(self.claim("resumed")["id"])
        wait_until(lambda: first.has_ended, "the end of the stream")
        middle = first.events[0]["id"]
        for query, headers in ((f"?lastEventId={middle}", None), ("", {"Last-Event-ID": middle})):
            with self.subTest(query):
                rest = self.watch(instance_id, query, headers)
                wait_until(lambda: rest.has_ended, "the end of the stream")  # pylint: disable=W0640
                self.check(rest.events)
                self.assertTrue(all(int(each["id"]) > int(middle) for each in rest.events
                                    if "id" in each))
                done = [each["stepId"] for each in rest.data("step")
                        if each["status"] == "COMPLETED"]
                self.assertEqual(done, ["work", "done"])

    def test_an_instance_that_is_over_is_told_at_once(self):
        self.upload(definition("over_before", step("done", "END")))
        stream = self.watch(self.start("over_before")["id"])
        wait_until(lambda: stream.has_ended, "the end of the stream")
        self.check(stream.events)
        self.assertEqual(stream.data("instance")[-1]["status"], "COMPLETED")

    def test_a_change_of_variables_is_told(self):
        self.upload(one_task("changed_in_view"))
        instance_id = self.start("changed_in_view")["id"]
        stream = self.watch(instance_id)
        self.expect(200, "PATCH", f"/v1/instances/{instance_id}/variables",
                    {"variables": {"pin": "new"}})
        wait_until(lambda: [each["variablesVersion"] for each in stream.data("instance")][-1:] == [1],
                   "the event of the change")
        self.check(stream.events)
        self.assertNotIn("new", str(stream.events))

    def test_suspension_is_told(self):
        self.upload(one_task("held_in_view"))
        instance_id = self.start("held_in_view")["id"]
        stream = self.watch(instance_id)
        self.post(f"/v1/instances/{instance_id}/suspend")
        wait_until(lambda: any(each.get("suspended") for each in stream.data("instance")),
                   "the event of the suspension")
        self.post(f"/v1/instances/{instance_id}/cancel")
        wait_until(lambda: stream.has_ended, "the end of the stream")
        self.assertEqual(stream.data("instance")[-1]["status"], "CANCELLED")

    def test_an_unknown_instance_is_404(self):
        self.expect_error(404, "not-found", "^instance .* not found$", "GET",
                          f"/v1/instances/{NO_ID}/events")
