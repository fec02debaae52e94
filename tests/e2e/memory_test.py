#!/usr/bin/env python3
"""How much memory others can make a server take: strangers, clients with large bodies, large data.

Usage: memory_test.py PROGRAM [unittest arguments]

Goal: the bounds of docs/operations.md, "Memory", hold on the program.
Method: the system's own record of the most that the process has had resident, begun anew before
each attack.
"""

import json
import os
import pathlib
import re
import select
import socket
import subprocess
import sys
import time
import unittest

from client import PATIENCE_SECONDS
from definitions import one_task
from server import PostgresStore, ServerTestCase, SqliteStore, keep_no_freed_memory

MIB = 1 << 20
BODY_BYTES_MAX = 16 * MIB
BODIES_BYTES_MAX = 256 * MIB
PAGE_BYTES_MAX = 16 * MIB
VARIABLES = {"text": "x" * 3_900_000}
INSTANCES = 40


class MemoryTestCase(ServerTestCase):
    def forget_peak(self):
        pathlib.Path(f"/proc/{self.server.pid()}/clear_refs").write_text("5", encoding="ascii")
        self.before = self.peak_bytes()

    def peak_bytes(self):
        status = pathlib.Path(f"/proc/{self.server.pid()}/status").read_text(encoding="ascii")
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) << 10

    def check_growth(self, bytes_max, what):
        grown = self.peak_bytes() - self.before
        print(f"{what}: {grown / MIB:.0f} MiB more, at most {bytes_max / MIB:.0f}", file=sys.stderr)
        self.assertLess(grown, bytes_max, what)

    def connect(self):
        connection = socket.create_connection(
            ("127.0.0.1", self.server.rest_port), PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        return connection


class StrangersTest(MemoryTestCase):
    def setUp(self):
        self.store = self.new_store()
        made = subprocess.run(
            [self.program, "--output", "json", "keys", "create", "ops", "--role", "admin", "--new",
             "--store", self.store.url],
            capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True)
        self.key = json.loads(made.stdout)["key"]
        self.server = self.new_server(self.store, "--auth", "keys")

    def test_who_does_not_read_gets_no_further_answers(self):
        """1,300 requests of 50 bytes have answers of 80 MB, on each of ten connections."""
        request = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        self.assertEqual(self.server.client().get("/openapi.json").status, 200)
        self.forget_peak()
        connections = [self.connect() for _ in range(10)]
        for connection in connections:
            connection.setblocking(False)
            try:
                connection.sendall(request * 1_300)
            except BlockingIOError:
                pass
        for _ in range(20):
            self.assertEqual(self.server.client().get("/readyz").status, 200)
        self.check_growth(32 * MIB, "answers that nobody reads")

    def test_bodies_of_strangers_are_not_read(self):
        self.forget_peak()
        head = (b"POST /v1/instances HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n"
                % BODY_BYTES_MAX)
        connections = [self.connect() for _ in range(150)]
        for number, connection in enumerate(connections):
            key = b"Authorization: Bearer mr_%012d_0000\r\n" % number if number % 2 else b""
            connection.sendall(head + key + b"\r\n")
            connection.setblocking(False)
        body = b"x" * (1 << 16)
        for _ in range(64):  # Up to 4 MiB of each.
            _, writable, _ = select.select([], connections, [], 1)
            for connection in writable:
                try:
                    connection.send(body)
                except OSError:
                    pass
        for connection in connections:
            connection.setblocking(True)
            self.assertIn(connection.recv(1 << 12)[9:12], (b"401", b"429"))
        self.check_growth(32 * MIB, "bodies of strangers")

    def test_bodies_of_one_client_leave_room_for_others(self):
        other = self.server.client().call(
            "POST", "/v1/keys", {"name": "other", "role": "operator"}, self.bearer(self.key))
        self.assertEqual(other.status, 201, other)
        self.forget_peak()
        head = (f"POST /v1/definitions HTTP/1.1\r\nHost: localhost\r\n"
                f"Authorization: Bearer {self.key}\r\nContent-Length: {BODY_BYTES_MAX}\r\n\r\n")
        connections = []
        answers = []
        for _ in range(40):
            connection = self.connect()
            connection.sendall(head.encode())
            readable, _, _ = select.select([connection], [], [], 0.05)
            if readable:
                answers.append(connection.recv(1 << 12))
                continue
            connection.sendall(b" " * (BODY_BYTES_MAX - 1))  # One byte is missing.
            connections.append(connection)
        self.assertLessEqual(len(connections), BODIES_BYTES_MAX // BODY_BYTES_MAX)
        for answer in answers:
            self.assertTrue(answer.startswith(b"HTTP/1.1 503 "), answer)
            self.assertIn(b"\r\nRetry-After: 1\r\n", answer)
        reply = self.server.client().call(
            "POST", "/v1/definitions", one_task("other", description="x" * 500_000),
            self.bearer(other.json()["key"]))
        self.assertNotEqual(reply.status, 503, reply)
        self.check_growth(BODIES_BYTES_MAX, "bodies of one client")
        for connection in connections:
            connection.sendall(b" ")
            self.assertTrue(connection.recv(1 << 12).startswith(b"HTTP/1.1 400 "))

    def bearer(self, key):
        return {"Authorization": f"Bearer {key}"}


class LargeDataTest(MemoryTestCase):
    store_kind = SqliteStore

    def setUp(self):
        self.server = self.new_server(self.new_store(self.store_kind))
        client = self.server.client()
        self.assertEqual(client.post("/v1/definitions", one_task("large")).status, 201)
        self.ids = set()
        for _ in range(INSTANCES):
            reply = client.post("/v1/instances", {"definitionId": "large", "variables": VARIABLES})
            self.assertEqual(reply.status, 201, reply.text[:200])
            self.ids.add(reply.json()["id"])

    def test_a_poll_hands_out_as_many_jobs_as_fit(self):
        client = self.server.client()
        self.forget_peak()
        seen = []
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(seen) < INSTANCES and time.monotonic() < deadline:
            reply = client.post("/v1/jobs/poll", {
                "workerId": "w", "jobTypes": ["large"], "maxJobs": 1000, "leaseSeconds": 3600})
            self.assertEqual(reply.status, 200)
            jobs = reply.json()["jobs"]
            self.assertLessEqual(len(reply.body), PAGE_BYTES_MAX + 5 * MIB)
            self.assertGreater(len(jobs), 0, "Those that did not fit are still there.")
            self.assertTrue(all(job["variables"] == VARIABLES for job in jobs))
            seen += [job["instanceId"] for job in jobs]
        self.assertEqual(len(seen), INSTANCES)
        self.assertEqual(set(seen), self.ids)
        self.check_growth(128 * MIB, "polls")

    def test_a_page_ends_early_and_the_next_one_goes_on(self):
        client = self.server.client()
        self.forget_peak()
        seen = []
        query = ""
        while True:
            reply = client.get("/v1/instances?pageSize=500" + query)
            self.assertEqual(reply.status, 200, reply.text[:200])
            page = reply.json()
            self.assertLessEqual(len(reply.body), PAGE_BYTES_MAX + 5 * MIB)
            self.assertEqual((page["total"], page["pageSize"]), (INSTANCES, 500))
            self.assertGreater(len(page["items"]), 0)
            seen += [item["id"] for item in page["items"]]
            if "nextCursor" not in page:
                break
            query = "&cursor=" + page["nextCursor"]
        self.assertEqual(len(seen), INSTANCES)
        self.assertEqual(set(seen), self.ids)
        self.check_growth(128 * MIB, "pages")


class PostgresLargeDataTest(LargeDataTest):
    store_kind = PostgresStore


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    keep_no_freed_memory()
    unittest.main()
