#!/usr/bin/env python3
"""Stops, start-up failures and what a restart resumes.

Usage: drain_test.py PROGRAM [unittest arguments]
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

from client import PATIENCE_SECONDS, Lost
from definitions import definition, one_task, step, task, timer
from server import PostgresStore, Server, ServerTestCase, SqliteStore, wait_until
from times import instant

# "Within seconds", on a machine that does other things too.
STOP_SECONDS = 8
LATE_SECONDS_MAX = 5


class InThread:
    """A call in a thread of its own."""

    def __init__(self, call, *arguments):
        self._call = call
        self._arguments = arguments
        self._result = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        self._result = self._call(*self._arguments)

    def result(self):
        self._thread.join(PATIENCE_SECONDS)
        assert not self._thread.is_alive(), "A call was not answered."
        return self._result


class DrainTestCase(ServerTestCase):
    def post(self, client, path, body=None, status=200):
        reply = client.post(path, body)
        self.assertEqual(reply.status, status, reply)
        return reply

    def start_instance(self, client, definition_id):
        body = {"definitionId": definition_id, "variables": {}}
        return self.post(client, "/v1/instances", body, 201).json()["id"]

    def poll(self, client, job_type, **fields):
        body = {"workerId": "w", "jobTypes": [job_type], **fields}
        return self.post(client, "/v1/jobs/poll", body).json()["jobs"]

    def park(self, server, count, job_type):
        """Polls that wait, in threads."""
        metrics = server.metrics_client()
        parked = [InThread(self.poll_to_the_end, server.client(), job_type) for _ in range(count)]
        wait_until(lambda: f"millrace_polls_parked {count}\n" in metrics.get("/metrics").text,
                   "the polls to be parked")
        return parked

    def poll_to_the_end(self, client, job_type):
        return client.post("/v1/jobs/poll", {
            "workerId": "w", "jobTypes": [job_type], "waitSeconds": 60})

    def stop_in_time(self, server, number=signal.SIGTERM):
        started_at = time.monotonic()
        server.send_signal(number)
        self.assertEqual(server.wait(), 0)
        self.assertLess(time.monotonic() - started_at, STOP_SECONDS)
        self.assertEqual(server.log_messages()[-1], "Stopped.")
        for line in server.log:
            self.assertNotIn('"level":"error"', line)


class DrainTest(DrainTestCase):
    def test_one_signal_answers_parked_polls_and_ends_with_0(self):
        for kind in (SqliteStore, PostgresStore):
            for number in (signal.SIGTERM, signal.SIGINT):
                with self.subTest(f"{kind.name} {number.name}"):
                    server = self.new_server(self.new_store(kind))
                    parked = self.park(server, 5, "nothing")
                    self.stop_in_time(server, number)
                    for each in parked:
                        reply = each.result()
                        self.assertEqual((reply.status, reply.body), (200, b'{"jobs":[]}\n'))

    def test_the_echo_of_a_signal_does_not_cut_a_stop_short(self):
        server = self.new_server()
        # Two of one kind may become one on their way.
        server.send_signal(signal.SIGTERM)
        self.stop_in_time(server, signal.SIGINT)

    def test_a_later_signal_ends_the_server_at_once(self):
        server = self.new_server()
        with socket.create_connection(
                ("127.0.0.1", server.rest_port), PATIENCE_SECONDS) as connection:
            connection.sendall(b"POST /v1/instances HTTP/1.1\r\nHost: localhost\r\n"
                               b"Content-Length: 9\r\nExpect: 100-continue\r\n\r\n")
            self.receive_head(connection)  # A request that does not end keeps the server waiting.
            server.send_signal(signal.SIGTERM)
            wait_until(lambda: "Stopping." in server.log_messages(), "the stop")

            def ends():
                if server.is_running():
                    server.send_signal(signal.SIGTERM)
                return not server.is_running()
            wait_until(ends, "the end")
        self.assertEqual(server.wait(), 1)

    def test_an_idle_connection_does_not_delay_a_stop(self):
        server = self.new_server()
        self.assertEqual(server.client().get("/healthz").status, 200)
        with socket.create_connection(("127.0.0.1", server.rest_port)):
            self.stop_in_time(server)

    def test_what_is_answered_during_a_stop_is_kept(self):
        for kind in (SqliteStore, PostgresStore):
            with self.subTest(kind.name):
                self.stop_under_load(self.new_store(kind))

    def stop_under_load(self, store):
        server = self.new_server(store)
        self.post(server.client(), "/v1/definitions", one_task("busy"), 201)
        answered = threading.Semaphore(0)
        acknowledged = []

        def start_until_lost():
            client = server.client()
            while True:
                try:
                    reply = client.post("/v1/instances", {"definitionId": "busy"})
                except Lost:
                    return True
                if reply.status == 503:
                    return True
                assert reply.status == 201, reply
                acknowledged.append(reply.json()["id"])
                answered.release()

        clients = [InThread(start_until_lost) for _ in range(4)]
        for _ in range(20):
            self.assertTrue(answered.acquire(timeout=PATIENCE_SECONDS))
        self.stop_in_time(server)
        for each in clients:
            self.assertTrue(each.result())
        client = self.new_server(store).client()
        for instance_id in acknowledged:
            self.assertEqual(client.get(f"/v1/instances/{instance_id}").status, 200)

    def test_a_request_that_is_on_its_way_is_finished(self):
        server = self.new_server()
        self.post(server.client(), "/v1/definitions", one_task("slow"), 201)
        body = b'{"definitionId":"slow"}'
        head = (f"POST /v1/instances HTTP/1.1\r\nHost: localhost\r\n"
                f"Content-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n").encode()
        with socket.create_connection(
                ("127.0.0.1", server.rest_port), PATIENCE_SECONDS) as connection:
            connection.sendall(head)
            # It is being read: the server waits for the rest of it.
            self.assertEqual(self.receive_head(connection), b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(body[:5])
            server.send_signal(signal.SIGTERM)
            wait_until(lambda: "Stopping." in server.log_messages(), "the stop")
            connection.sendall(body[5:])
            self.assertTrue(self.receive_head(connection).startswith(b"HTTP/1.1 201 "))
        self.assertEqual(server.wait(), 0)

    def receive_head(self, connection):
        received = b""
        while not received.endswith(b"\r\n\r\n"):
            byte = connection.recv(1)
            self.assertTrue(byte, received)
            received += byte
        return received


class RestartTest(DrainTestCase):
    """What falls due while nobody is there is done when somebody is there again."""

    kinds = (SqliteStore, PostgresStore)

    def on_each_store(self, ends):
        """A store for each kind and each way to end a server."""
        for kind in self.kinds:
            for end in ends:
                with self.subTest(f"{kind.name} {end.__name__}"):
                    yield self.new_store(kind), end

    def test_a_timer_that_became_due_meanwhile_fires(self):
        for store, end in self.on_each_store([Server.kill, Server.stop]):
            server = self.new_server(store)
            self.post(server.client(), "/v1/definitions", definition(
                "overdue", step("hold", "WAIT", nextStep="done",
                                boundaryEvents=[timer("PT0.5S", "late", True)]),
                task("late", "late", "done"), step("done", "END")), 201)
            instance_id = self.start_instance(server.client(), "overdue")
            due_at = time.time() + 0.5
            end(server)
            wait_until(lambda due_at=due_at: time.time() > due_at, "the timer to be due")
            server.start()
            started_at = time.monotonic()
            [job] = self.poll(server.client(), "late", waitSeconds=30)
            self.assertLess(time.monotonic() - started_at, LATE_SECONDS_MAX)
            self.assertEqual(job["instanceId"], instance_id)
            lines = server.client().get(f"/v1/instances/{instance_id}/history").json()["items"]
            self.assertEqual([(each["stepId"], each["status"]) for each in lines],
                             [("hold", "FAILED"), ("late", "RUNNING")])

    def test_a_timer_that_is_due_later_fires_then(self):
        for store, end in self.on_each_store([Server.kill]):
            server = self.new_server(store)
            self.post(server.client(), "/v1/definitions", definition(
                "later", task("work", "later", "done", boundaryEvents=[
                    timer("PT4S", "beside", False)]),
                task("beside", "beside"), step("done", "END")), 201)
            self.start_instance(server.client(), "later")
            end(server)
            server.start()
            [work] = self.poll(server.client(), "later")
            [beside] = self.poll(server.client(), "beside", waitSeconds=30)
            after = instant(beside["createdAt"]) - instant(work["createdAt"])
            self.assertGreaterEqual(after.total_seconds(), 4)
            self.assertLess(after.total_seconds(), 4 + LATE_SECONDS_MAX)

    def test_a_lease_that_ran_out_meanwhile_is_offered_again(self):
        for store, end in self.on_each_store([Server.kill]):
            server = self.new_server(store)
            self.post(server.client(), "/v1/definitions", one_task("leased"), 201)
            self.start_instance(server.client(), "leased")
            [job] = self.poll(server.client(), "leased", leaseSeconds=5)
            end(server)
            server.start()
            self.assertEqual(self.poll(server.client(), "leased"), [], "The lease still lives.")
            [again] = self.poll(server.client(), "leased", waitSeconds=30)
            self.assertEqual((again["id"], again["leaseToken"]), (job["id"], 2))
            late = instant(again["lockedAt"]) - instant(job["lockExpiresAt"])
            self.assertGreaterEqual(late.total_seconds(), 0)
            self.assertLess(late.total_seconds(), LATE_SECONDS_MAX)

    def test_a_lease_outlives_a_restart(self):
        for store, end in self.on_each_store([Server.kill, Server.stop]):
            server = self.new_server(store)
            self.post(server.client(), "/v1/definitions", one_task("kept"), 201)
            instance_id = self.start_instance(server.client(), "kept")
            [job] = self.poll(server.client(), "kept", leaseSeconds=600)
            end(server)
            server.start()
            client = server.client()
            self.post(client, f"/v1/jobs/{job['id']}/complete", {"workerId": "thief"}, 409)
            proof = {"workerId": "w", "leaseToken": 1, "variables": {"a": 1}}
            self.post(client, f"/v1/jobs/{job['id']}/complete", proof, 204)
            self.assertEqual(client.get(f"/v1/instances/{instance_id}").json()["variables"],
                             {"a": 1})


class StartUpFailureTest(DrainTestCase):
    def serve(self, *arguments, code=1, seconds=PATIENCE_SECONDS, **environment):
        """What a start that fails prints."""
        result = subprocess.run(
            [self.program, "serve", *arguments], capture_output=True, text=True, check=False,
            timeout=seconds, env={**os.environ, **environment})
        text = result.stdout + result.stderr
        self.assertEqual(result.returncode, code, text)
        return text

    def ports(self):
        return ["--rest-port", "0", "--grpc-port", "0", "--metrics-port", "0"]

    def test_a_port_that_is_taken_is_named(self):
        for flag in ("--rest-port", "--grpc-port", "--metrics-port"):
            with socket.create_server(("127.0.0.1", 0)) as taken:
                port = str(taken.getsockname()[1])
                text = self.serve("--store", self.new_store().url, *self.ports(), flag, port)
            self.assertIn(port, text)
            self.assertIn("in use", text)

    def test_a_store_that_cannot_be_written_is_named(self):
        for path in ("/proc/no/such/place.db", "/dev/null/x.db"):
            text = self.serve("--store", f"sqlite:{path}", *self.ports())
            self.assertIn("The store cannot be used", text)
            self.assertIn(path.rsplit("/", 1)[0], text)

    def test_a_file_that_is_no_database_is_refused(self):
        store = self.new_store()
        store.path.write_text("This is a diary, not a database." * 200)
        self.assertIn("The store cannot be used", self.serve("--store", store.url, *self.ports()))
        self.assertTrue(store.path.read_text().startswith("This is a diary"))

    def test_a_store_that_another_server_uses_is_refused(self):
        store = self.new_store()
        first = self.new_server(store)
        text = self.serve("--store", store.url, *self.ports())
        self.assertRegex(text, "another|in use")
        self.assertEqual(first.client().get("/readyz").status, 200)
        self.assertEqual(first.stop(), 0)
        self.assertEqual(first.start().client().get("/readyz").status, 200)

    def test_a_postgres_that_does_not_answer_is_named_without_its_password(self):
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            port = nobody.getsockname()[1]
            text = self.serve(
                "--store", f"postgresql://me:geheim@127.0.0.1:{port}/none", *self.ports())
        self.assertIn("The store cannot be used", text)
        self.assertNotIn("geheim", text)

    def test_bad_options_are_all_named(self):
        text = self.serve("--colour", "--rest-port", "70000", "--log-level", "loud", code=2)
        for each in ("--colour", "--rest-port", "--log-level", "millrace serve --help"):
            self.assertIn(each, text)
        self.assertIn("--store", self.serve("--store", "mysql://x", code=2))
        self.assertIn("WE_REST_PORT", self.serve(code=2, WE_REST_PORT="many"))
        self.assertIn("--insecure", self.serve("--listen", "0.0.0.0", code=2))


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
