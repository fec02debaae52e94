#!/usr/bin/env python3
"""Calls over gRPC that wait: polls and streams of events, and what becomes of them when a client or the
server goes away.

Usage: grpc_waiting_test.py PROGRAM [unittest arguments]
"""

import json
import sys
import time
import unittest

import grpc

from definitions import one_task
from rpc import PATIENCE_SECONDS, code_of, millrace
from server import ServerTestCase, wait_until

jobs = millrace("jobs")
instances = millrace("instances")
POLLS = 200


class GrpcWaitingTest(ServerTestCase):
    def setUp(self):
        self.server = self.new_server(None, "--shutdown-seconds", "20")
        self.rest = self.server.client()
        self.channel = grpc.insecure_channel(f"127.0.0.1:{self.server.grpc_port}")
        self.addCleanup(self.channel.close)
        self.assertEqual(self.rest.post("/v1/definitions", one_task("order")).status, 201)

    def poll(self, worker="w"):
        stub = self.channel.unary_unary(
            "/millrace.v1.Jobs/PollJobs",
            request_serializer=jobs.PollJobsRequest.SerializeToString,
            response_deserializer=jobs.PollJobsResponse.FromString)
        return stub.future(jobs.PollJobsRequest(
            worker_id=worker, job_types=["order"], wait_seconds=60), timeout=90)

    def watch(self, instance, channel=None, metadata=None):
        stub = (channel or self.channel).unary_stream(
            "/millrace.v1.Instances/WatchInstance",
            request_serializer=instances.WatchInstanceRequest.SerializeToString,
            response_deserializer=instances.InstanceEvent.FromString)
        return stub(instances.WatchInstanceRequest(id=instance), timeout=90, metadata=metadata)

    def start(self, **variables):
        reply = self.rest.post(
            "/v1/instances", {"definitionId": "order", "variables": variables})
        self.assertEqual(reply.status, 201, reply)
        return reply.json()["id"]

    def wait_for_parked(self, count):
        def is_parked():
            text = self.server.metrics_client().get("/metrics").text
            return f"\nmillrace_polls_parked {count}\n" in text
        wait_until(is_parked, f"{count} parked polls")

    def test_a_parked_poll_gets_a_job_at_once(self):
        poll = self.poll()
        self.wait_for_parked(1)
        instance = self.start(big=2**63 - 1)
        job, = poll.result(PATIENCE_SECONDS).jobs
        self.assertEqual(job.instance_id, instance)
        self.assertEqual(json.loads(job.variables), {"big": 2**63 - 1})

    def test_a_client_that_goes_away_takes_no_job_with_it(self):
        poll = self.poll("gone")
        self.wait_for_parked(1)
        poll.cancel()
        self.wait_for_parked(0)
        self.start()
        other = self.poll("other")
        job, = other.result(PATIENCE_SECONDS).jobs
        self.assertEqual((job.worker_id, job.lease_token), ("other", 1))

    def test_events_of_an_instance_are_a_stream_that_ends_with_it(self):
        instance = self.start()
        events = self.watch(instance)
        first = next(each for each in events if each.HasField("instance"))
        self.assertEqual(first.instance.id, instance)
        self.rest.post(f"/v1/instances/{instance}/cancel", {"reason": "enough"})
        rest = list(events)
        self.assertEqual(events.code(), grpc.StatusCode.OK)
        self.assertEqual(rest[-1].instance.failure_reason, "enough")

    def test_a_stream_whose_key_is_revoked_does_not_end_as_if_all_were_said(self):
        store = self.new_store()
        open_server = self.new_server(store)
        made = {role: open_server.client().post("/v1/keys", {"name": role, "role": role}).json()
                for role in ("admin", "viewer")}
        open_server.stop()
        server = self.new_server(store, "--auth", "keys")
        channel = grpc.insecure_channel(f"127.0.0.1:{server.grpc_port}")
        self.addCleanup(channel.close)
        rest, admin = server.client(), {"Authorization": f"Bearer {made['admin']['key']}"}
        rest.call("POST", "/v1/definitions", one_task("order"), admin)
        instance = rest.call("POST", "/v1/instances", {"definitionId": "order"}, admin).json()["id"]
        events = self.watch(instance, channel,
                            (("authorization", f"Bearer {made['viewer']['key']}"),))
        next(each for each in events if each.HasField("instance"))
        revoked = rest.call("DELETE", f"/v1/keys/{made['viewer']['id']}", None, admin)
        self.assertEqual(revoked.status, 204, revoked)
        self.assertEqual(code_of(list, events), "UNAUTHENTICATED")

    def test_a_stream_of_nothing_is_not_found(self):
        events = self.watch("01ARZ3NDEKTSV4RRFFQ69G5FAV")
        self.assertEqual(events.code(), grpc.StatusCode.NOT_FOUND)

    def test_a_server_that_stops_answers_all_who_wait(self):
        polls = [self.poll(f"w{i}") for i in range(POLLS)]
        self.wait_for_parked(POLLS)
        events = self.watch(self.rest.post("/v1/instances", {
            "definitionId": self.waiting_definition()}).json()["id"])
        next(each for each in events if each.HasField("instance"))
        began = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - began, 10)
        for poll in polls:
            self.assertEqual(len(poll.result(PATIENCE_SECONDS).jobs), 0)
        self.assertEqual(code_of(list, events), "UNAVAILABLE")
        self.assertFalse(any("cut off" in line for line in self.server.log))

    def waiting_definition(self):
        """One whose instances make no job."""
        definition = one_task("waiting")
        definition["steps"][0].update(jobType="nobody")
        self.assertEqual(self.rest.post("/v1/definitions", definition).status, 201)
        return "waiting"


if __name__ == "__main__":
    ServerTestCase.program = sys.argv.pop(1)
    unittest.main()
