#!/usr/bin/env python3
"""Spans of the server at a collector: their tree, their way there, and a collector that is away.

Usage: tracing_test.py PROGRAM [unittest arguments]
"""

import os
import subprocess
import sys
import unittest

from certificates import Certificate
from client import PATIENCE_SECONDS
from collector import Collector
from definitions import definition, one_task, step
from server import PostgresStore, ServerTestCase, SqliteStore, wait_until

TRACE_ID = "0af7651916cd43dd8448eb211c80319c"
CALLER = "b7ad6b7169203331"
SAMPLED = {"traceparent": f"00-{TRACE_ID}-{CALLER}-01"}
UNSAMPLED = {"traceparent": f"00-{TRACE_ID}-{CALLER}-00"}
SERVER, INTERNAL = 2, 1
ERROR = 2


class TracingTestCase(ServerTestCase):
    store_type = SqliteStore

    def new_collector(self, **arguments):
        collector = Collector(**arguments)
        self.addCleanup(collector.close)
        return collector

    def traced_server(self, url, *options):
        return self.new_server(self.new_store(self.store_type), "--tracing-endpoint", url, *options)

    def find(self, collector, name, **attributes):
        """The first span of that name whose attributes have these values."""
        wanted = {key.replace("__", "."): value for key, value in attributes.items()}

        def search(spans):
            return next((span for span in spans if span.name == name and
                         wanted.items() <= span.attributes.items()), None)

        return collector.wait_for(search, PATIENCE_SECONDS)

    def poll(self, client, job_type, headers=None):
        poll = {"workerId": "w", "jobTypes": [job_type], "waitSeconds": 10}
        [job] = client.post("/v1/jobs/poll", poll, headers).json()["jobs"]
        return job

    def metric(self, server, name):
        for line in server.metrics_client().get("/metrics").text.splitlines():
            if line.startswith(name + " "):
                return float(line.split()[-1])
        return 0

    def wait_for_complaint(self, server):
        wait_until(lambda: any("does not take spans" in line for line in server.log_messages()),
                   "a complaint about the collector")


class TreeTest(TracingTestCase):
    def setUp(self):
        self.collector = self.new_collector()
        self.server = self.traced_server(self.collector.url, "--tracing-service-name", "mill")
        self.client = self.server.client()
        self.assertEqual(self.client.post("/v1/definitions", one_task("sawing")).status, 201)

    def start(self, headers):
        reply = self.client.post("/v1/instances", {"definitionId": "sawing"}, headers)
        self.assertEqual(reply.status, 201)
        return reply.json()["id"]

    def test_the_spans_of_an_instance_hang_together(self):
        instance_id = self.start({**SAMPLED, "X-Request-Id": "r-1"})
        job = self.poll(self.client, "sawing")
        self.client.post(f"/v1/jobs/{job['id']}/complete", {"workerId": "w"}, SAMPLED)

        request = self.find(self.collector, "POST /v1/instances", millrace__request__id="r-1")
        self.assertEqual((request.trace_id, request.parent_id), (TRACE_ID, CALLER))
        self.assertEqual(request.kind, SERVER)
        self.assertEqual(request.attributes["http.response.status_code"], 201)
        self.assertEqual(request.attributes["http.route"], "/v1/instances")
        self.assertEqual(self.collector.services, {"mill"})

        command = self.find(self.collector, "instance.start", millrace__instance__id=instance_id)
        self.assertEqual((command.trace_id, command.parent_id), (TRACE_ID, request.span_id))
        self.assertEqual(command.attributes["millrace.command.outcome"], "OK")
        self.assertTrue(
            request.started_at <= command.started_at <= command.ended_at <= request.ended_at)

        linked = (command.trace_id, command.span_id)
        batch = self.collector.wait_for(
            lambda spans: next((span for span in spans if linked in span.links), None),
            PATIENCE_SECONDS)
        self.assertEqual((batch.name, batch.parent_id), ("batch", ""))
        self.assertNotEqual(batch.trace_id, TRACE_ID)
        # A round of the dispatcher may have shared the commit.
        self.assertIn(batch.attributes["millrace.batch.commands"], (1, 2))

        instance = self.find(self.collector, "instance sawing")
        self.assertEqual((instance.trace_id, instance.parent_id), (TRACE_ID, request.span_id))
        told = self.find(self.collector, "job work")
        self.assertEqual((told.trace_id, told.parent_id), (TRACE_ID, instance.span_id))
        self.assertEqual(told.attributes["millrace.job.status"], "COMPLETED")
        self.assertEqual(job["traceparent"], f"00-{TRACE_ID}-{told.span_id}-01")
        complete = self.find(self.collector, "instance.complete_job")
        self.assertEqual(complete.attributes["millrace.instance.id"], instance_id)

    def test_a_trace_begins_here_when_nobody_sends_one(self):
        self.start({})
        request = self.find(self.collector, "POST /v1/instances")
        self.assertEqual(request.parent_id, "")
        self.assertIn(request.trace_id, self.poll(self.client, "sawing")["traceparent"])

    def test_what_a_caller_does_not_sample_is_handed_on_and_not_told(self):
        self.start(UNSAMPLED)
        job = self.poll(self.client, "sawing", UNSAMPLED)
        self.assertEqual(job["traceparent"], UNSAMPLED["traceparent"])
        self.client.post(f"/v1/jobs/{job['id']}/complete", {"workerId": "w"}, UNSAMPLED)
        self.client.get("/v1/definitions")
        self.find(self.collector, "GET /v1/definitions")
        self.assertNotIn(TRACE_ID, [span.trace_id for span in self.collector.spans])

    def test_chained_instances_go_on_with_the_trace(self):
        first = definition("felling", step("end", "END"),
                           autoStartNextWorkflow=True, nextWorkflowId="sawing")
        reply = self.client.post("/v1/definitions", first)
        self.assertEqual(reply.status, 201, reply)
        self.client.post("/v1/instances", {"definitionId": "felling"}, SAMPLED)
        felling = self.find(self.collector, "instance felling")
        job = self.poll(self.client, "sawing")
        self.assertIn(TRACE_ID, job["traceparent"])
        self.client.post(f"/v1/jobs/{job['id']}/complete", {"workerId": "w"})
        self.assertEqual(self.find(self.collector, "instance sawing").parent_id, felling.span_id)

    def test_what_fails_for_good_is_an_error(self):
        self.start(SAMPLED)
        job = self.poll(self.client, "sawing")
        failure = {"workerId": "w", "errorMessage": "the saw is blunt", "retryable": False}
        self.client.post(f"/v1/jobs/{job['id']}/fail", failure)
        self.assertEqual(self.find(self.collector, "job work").status, ERROR)
        self.assertEqual(self.find(self.collector, "instance sawing").status, ERROR)

    def test_a_worker_of_ours_hands_the_trace_to_its_command(self):
        instance_id = self.start(SAMPLED)
        command = 'printf \'{"seen":"%s"}\' "$TRACEPARENT"'
        worker = subprocess.Popen(
            [self.program, "worker", "--server", f"http://127.0.0.1:{self.server.rest_port}",
             "--type", "sawing", "--exec", command], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.addCleanup(worker.wait, PATIENCE_SECONDS)
        self.addCleanup(worker.terminate)
        told = self.find(self.collector, "job work")
        instance = self.client.get(f"/v1/instances/{instance_id}").json()
        self.assertEqual(instance["variables"]["seen"], f"00-{TRACE_ID}-{told.span_id}-01")


class PostgresTreeTest(TreeTest):
    store_type = PostgresStore


class WayTest(TracingTestCase):
    def test_a_stop_sends_what_is_left(self):
        collector = self.new_collector()
        server = self.traced_server(collector.url)
        server.client().get("/v1/definitions")
        self.assertEqual(server.stop(), 0)
        self.find(collector, "GET /v1/definitions")

    def test_a_busy_collector_is_asked_again(self):
        collector = self.new_collector()
        collector.answers = [(503, {"Retry-After": "0"}), (429, {})]
        server = self.traced_server(collector.url)
        server.client().get("/v1/definitions")
        self.find(collector, "GET /v1/definitions")
        self.assertEqual(len(collector.requests), 3)
        wait_until(lambda: self.metric(server, "millrace_trace_spans_exported_total") == 1,
                   "the span to be counted")

    def test_headers_are_sent_and_told_to_nobody_else(self):
        collector = self.new_collector()
        secret = self.new_secret("authorization=Bearer%20sesame,x-tenant=mill")
        server = self.traced_server(
            collector.url, "--tracing-headers-file", str(secret), "--log-level", "debug")
        server.client().get("/v1/definitions")
        self.find(collector, "GET /v1/definitions")
        [request] = collector.requests
        self.assertEqual(request["authorization"], "Bearer sesame")
        self.assertEqual(request["x-tenant"], "mill")
        self.assertEqual(request["path"], "/v1/traces")
        self.assertEqual(request["Content-Type"], "application/x-protobuf")
        server.stop()
        self.assertNotIn("sesame", "\n".join(server.log))

    def new_secret(self, text):
        store = self.new_store(SqliteStore)
        path = store.path.with_name("secret")
        path.write_text(text + "\n")
        return path

    def test_a_collector_may_be_reached_by_https(self):
        certificate = Certificate()
        self.addCleanup(certificate.remove)
        collector = self.new_collector(certificate=certificate)
        server = self.traced_server(collector.url, "--tracing-ca-file", str(certificate.certificate))
        server.client().get("/v1/definitions")
        self.find(collector, "GET /v1/definitions")

    def test_a_collector_that_nobody_vouches_for_gets_nothing(self):
        certificate = Certificate()
        self.addCleanup(certificate.remove)
        collector = self.new_collector(certificate=certificate)
        server = self.traced_server(collector.url)
        server.client().get("/v1/definitions")
        self.wait_for_complaint(server)
        self.assertEqual(collector.requests, [])

    def test_a_collector_that_is_away_is_no_obstacle(self):
        collector = self.new_collector()
        collector.close()
        server = self.traced_server(collector.url, "--shutdown-seconds", "2")
        client = server.client()
        self.assertEqual(client.post("/v1/definitions", one_task("away")).status, 201)
        for _ in range(20):
            self.assertEqual(client.post("/v1/instances", {"definitionId": "away"}).status, 201)
        self.wait_for_complaint(server)
        self.assertEqual(self.metric(server, "millrace_trace_spans_exported_total"), 0)
        self.assertEqual(server.stop(), 0)

    def test_what_a_collector_refuses_is_dropped_and_counted(self):
        collector = self.new_collector()
        collector.answers = [(401, {})]
        server = self.traced_server(collector.url)
        server.client().get("/v1/definitions")
        dropped = 'millrace_trace_spans_dropped_total{reason="refused"}'
        wait_until(lambda: self.metric(server, dropped) == 1, "the span to be counted")

    def test_nothing_is_told_at_the_ratio_zero_but_what_callers_sample(self):
        collector = self.new_collector()
        server = self.traced_server(collector.url, "--tracing-sample-ratio", "0")
        client = server.client()
        client.get("/v1/instances")
        client.get("/v1/definitions", **SAMPLED)
        self.find(collector, "GET /v1/definitions")
        self.assertEqual(len(collector.spans), 1)

    def test_without_a_collector_a_trace_is_handed_on_as_it_is(self):
        server = self.new_server(self.new_store(SqliteStore))
        client = server.client()
        client.post("/v1/definitions", one_task("quiet"))
        client.post("/v1/instances", {"definitionId": "quiet"}, SAMPLED)
        self.assertEqual(self.poll(client, "quiet")["traceparent"], SAMPLED["traceparent"])
        client.post("/v1/instances", {"definitionId": "quiet"})
        self.assertNotIn("traceparent", self.poll(client, "quiet"))

    def test_what_does_not_fit_is_named(self):
        rows = [
            (["--tracing-endpoint", "collector:4318"], "--tracing-endpoint"),
            (["--tracing-endpoint", "http://user:sesame@host"], "tracing.endpoint"),
            (["--tracing-sample-ratio", "1.5"], "--tracing-sample-ratio"),
            (["--tracing-headers", "sesame"], "--tracing-headers"),
            (["--tracing-endpoint", "http://h", "--tracing-headers", "a b=sesame"],
             "tracing.headers"),
            (["--tracing-endpoint", "https://h", "--tracing-ca-file", "/nowhere.pem"],
             "/nowhere.pem"),
        ]
        for options, name in rows:
            with self.subTest(options=options):
                ended = subprocess.run(
                    [self.program, "serve", "--store", self.new_store(SqliteStore).url, *options],
                    capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
                self.assertEqual(ended.returncode, 2, ended)
                self.assertIn(name, ended.stderr)
                self.assertNotIn("sesame", ended.stderr)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
