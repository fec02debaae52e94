#!/usr/bin/env python3
"""What strangers send: too much, too slowly, halfway, or so that two readers understand two things.

Usage: hostile_test.py PROGRAM [unittest arguments]

Goal: each of them is refused or cut off, on its own, while the server serves others and keeps its
memory. How long it waits for whom is tested beside the code, where time-outs can be short.
"""

import os
import pathlib
import re
import resource
import select
import socket
import sys
import time
import unittest

from client import PATIENCE_SECONDS
from definitions import definition, one_task, step, task
from server import ServerTestCase, keep_no_freed_memory, wait_until

BODY_BYTES_MAX = 16 << 20
HUGE_BYTES = 100 << 20
IDLE_CONNECTIONS = 10_000
IDLE_BYTES_MAX = 20 << 10  # Of the server's memory, for each connection.
ANSWER_SECONDS_MAX = 5  # On a machine that does other things too.
HEAD = b"POST /v1/instances HTTP/1.1\r\nHost: localhost\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


class HostileTest(ServerTestCase):
    def setUp(self):
        self.server = self.new_server()

    def connect(self):
        connection = socket.create_connection(
            ("127.0.0.1", self.server.rest_port), PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        return connection

    def talk(self, *parts):
        """Sends the parts, then nothing more, and returns all that comes back."""
        connection = self.connect()
        try:
            for part in parts:
                connection.sendall(part)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # It was cut off; the answer tells why.
        return self.rest_of(connection)

    def rest_of(self, connection):
        received = b""
        try:
            while chunk := connection.recv(1 << 16):
                received += chunk
        except ConnectionResetError:
            pass
        return received.decode("latin-1")

    def statuses(self, answer):
        return [int(status) for status in re.findall(r"^HTTP/1\.1 (\d+) ", answer, re.MULTILINE)]

    def memory_bytes(self):
        status = pathlib.Path(f"/proc/{self.server.pid()}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) << 10

    def check_others_are_served(self):
        client = self.server.client(ANSWER_SECONDS_MAX)
        for _ in range(20):
            self.assertEqual(client.get("/readyz").status, 200)
        client.close()

    def pump(self, connection, piece, total):
        """Sends the piece again and again, until there is an answer, an end, or so many bytes."""
        sent = 0
        while sent < total:
            readable, writable, _ = select.select([connection], [connection], [], PATIENCE_SECONDS)
            if readable or not writable:
                break
            try:
                connection.sendall(piece)
            except OSError:
                break
            sent += len(piece)
        return sent


class BodiesTest(HostileTest):
    def test_deep_json_is_an_error_and_no_crash(self):
        self.server.client().post("/v1/definitions", one_task("deep"))
        documents = [
            b"[" * 129 + b"]" * 129,
            b"[" * 1_000_000,
            b'{"a":' * 500_000,
            b'{"definitionId":"deep","variables":{"a":' + b"[" * 200 + b"]" * 200 + b"}}",
            b'{"definitionId":"deep","variables":{"a":"' + b"\\u0000" * 1000,
            b'{"definitionId":"deep","variables":' + b'{"a":[' * 70 + b"0" + b"]}" * 70 + b"}",
        ]
        for path in ("/v1/definitions", "/v1/instances", "/v1/jobs/poll"):
            for number, document in enumerate(documents):
                with self.subTest(path=path, number=number):
                    reply = self.server.client().post(path, document)
                    self.assertIn(reply.status, (400, 413), reply.text[:200])
                    self.assertIn("reason", reply.json())
        self.check_others_are_served()

    def test_two_ordinary_calls_never_bring_together_what_nobody_can_read(self):
        """Each is within the limits; what they make together would not be."""
        client = self.server.client()
        body = definition(
            "large", task("work", "large", "choose"),
            step("choose", "DECISION", conditionalNextSteps={"true": "done"}), step("done", "END"))
        self.assertEqual(client.post("/v1/definitions", body).status, 201)
        zeros = b"[" + b"0," * 699_999 + b"0]"
        started = client.post(
            "/v1/instances", b'{"definitionId":"large","variables":{"a":' + zeros + b"}}")
        self.assertEqual(started.status, 201)
        [job] = client.post("/v1/jobs/poll",
                            {"workerId": "w", "jobTypes": ["large"]}).json()["jobs"]
        done = f"/v1/jobs/{job['id']}/complete"
        refused = client.post(done, b'{"workerId":"w","variables":{"b":' + zeros + b"}}")
        self.assertEqual(refused.status, 413, refused.text[:200])
        self.assertIn("1000000 values", refused.json()["reason"])
        self.check_others_are_served()
        self.assertEqual(client.post(done, {"workerId": "w", "variables": {"b": 1}}).status, 204)
        over = client.get(f"/v1/instances/{started.json()['id']}").json()
        self.assertEqual(over["status"], "COMPLETED")
        self.assertEqual((len(over["variables"]["a"]), over["variables"]["b"]), (700_000, 1))

    def test_two_headers_that_name_a_workspace_are_refused(self):
        head = b"GET /v1/instances HTTP/1.1\r\nHost: localhost\r\nMillrace-Workspace: default\r\n"
        for second in (b"default", b"other"):
            answer = self.talk(head + b"millrace-workspace: " + second + b"\r\n\r\n")
            self.assertEqual(self.statuses(answer), [400], answer)

    def test_a_million_members_are_refused_in_bounded_time(self):
        body = b"{" + b",".join(b'"k%d":0' % i for i in range(1_200_000)) + b"}"
        self.assertLess(len(body), BODY_BYTES_MAX)
        reply = self.server.client().post("/v1/instances", body)
        self.assertEqual(reply.status, 400, reply.text[:200])

    def test_a_huge_body_is_refused_before_it_is_read(self):
        before = self.memory_bytes()
        connection = self.connect()
        connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % HUGE_BYTES)
        self.assertEqual(self.statuses(connection.recv(1 << 16).decode()), [413])
        connection.settimeout(1)
        sent = 0
        try:
            while sent < HUGE_BYTES:
                sent += connection.send(b"x" * (1 << 16))
        except OSError:
            pass
        self.assertLess(sent, HUGE_BYTES, "It must not read what it does not want.")
        self.assertLess(self.memory_bytes() - before, BODY_BYTES_MAX)
        self.check_others_are_served()

    def test_a_huge_body_in_chunks_is_refused_at_the_limit(self):
        before = self.memory_bytes()
        connection = self.connect()
        connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        sent = self.pump(connection, b"10000\r\n" + b"x" * (1 << 16) + b"\r\n", HUGE_BYTES)
        self.assertLess(sent, HUGE_BYTES)
        self.assertEqual(self.statuses(connection.recv(1 << 16).decode()), [413])
        self.assertLess(self.memory_bytes() - before, 4 * BODY_BYTES_MAX)
        self.check_others_are_served()

    def test_tiny_chunks_with_long_names_are_refused(self):
        for extension in (b";" + b"x" * 100_000, b";a=b" * 50_000):
            answer = self.talk(HEAD + b"Transfer-Encoding: chunked\r\n\r\n1" + extension)
            self.assertEqual(self.statuses(answer), [431])

    def test_what_surrounds_chunks_counts_as_a_header_does(self):
        head = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
        long = b"x" * 20_000
        for body in (b"2;" + long + b"\r\n{}\r\n0\r\n\r\n",
                     b"1;" + long[:9_000] + b"\r\n{\r\n1;" + long[:9_000] + b"\r\n}\r\n0\r\n\r\n",
                     b"2\r\n{}\r\n0\r\nX: " + long + b"\r\n\r\n",
                     b"0" * 20_000 + b"2\r\n{}\r\n0\r\n\r\n"):
            with self.subTest(body[:20]):
                self.assertEqual(self.statuses(self.talk(head + body)), [431])


class HeadersTest(HostileTest):
    def test_floods_of_headers_are_refused(self):
        many = b"".join(b"X-%d: y\r\n" % i for i in range(100_000))
        for flood in (many, b"X: " + b"y" * 1_000_000, b"X" * 1_000_000, b"X: y\r\n" * 3_000):
            connection = self.connect()
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
            self.pump(connection, flood, len(flood))
            with self.subTest(flood[:10]):
                self.assertEqual(self.statuses(self.rest_of(connection)[:100]), [431])
        connection = self.connect()
        self.pump(connection, b"G" * 1_000_000, 1_000_000)
        self.assertIn(self.statuses(self.rest_of(connection)[:100])[0], (400, 431))
        self.check_others_are_served()

    def test_no_second_request_hides_in_a_first_one(self):
        """Whatever a proxy in front may think, there is one answer, a refusal, and the end."""
        hidden = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        chunked = b"Transfer-Encoding: chunked\r\n"
        cases = {
            "length and chunks": HEAD + b"Content-Length: 5\r\n" + chunked + b"\r\n0\r\n\r\n",
            "chunks and length": HEAD + chunked + b"Content-Length: 5\r\n\r\n0\r\n\r\n",
            "two lengths": HEAD + b"Content-Length: 0\r\nContent-Length: 44\r\n\r\n",
            "list of lengths": HEAD + b"Content-Length: 0, 44\r\n\r\n",
            "signed length": HEAD + b"Content-Length: +0\r\n\r\n",
            "negative length": HEAD + b"Content-Length: -1\r\n\r\n",
            "hexadecimal length": HEAD + b"Content-Length: 0x0\r\n\r\n",
            "length beyond 64 bits": HEAD + b"Content-Length: 18446744073709551616\r\n\r\n",
            "unknown coding": HEAD + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
            "coding behind chunked": HEAD + b"Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
            "two codings": HEAD + chunked + b"Transfer-Encoding: identity\r\n\r\n0\r\n\r\n",
            "space before the colon": HEAD + b"Content-Length : 0\r\n\r\n",
            "space before the name": HEAD + b" Content-Length: 44\r\n\r\n",
            "bare line feeds": b"GET /healthz HTTP/1.1\nHost: localhost\n\n",
            "bare line feed in a field": HEAD + b"X: y\nContent-Length: 44\r\n\r\n",
            "bare carriage return": HEAD + b"X: y\rContent-Length: 44\r\n\r\n",
            "a NUL in a field": HEAD + b"X: y\0z\r\nContent-Length: 0\r\n\r\n",
            "folded field": HEAD + b"X: y\r\n Content-Length: 44\r\n\r\n",
            "folded coding": HEAD + b"Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\n",
            "two hosts": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
            "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
            "negative chunk": HEAD + chunked + b"\r\n-1\r\nx\r\n0\r\n\r\n",
            "chunk beyond 64 bits": HEAD + chunked + b"\r\n10000000000000000\r\nx\r\n0\r\n\r\n",
            "chunk without its end": HEAD + chunked + b"\r\n1\r\nxy\r\n0\r\n\r\n",
            "line feed in a chunk": HEAD + chunked + b"\r\n1\nx\n0\n\n",
            "coding before chunked": HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "an old version that stays": HEAD.replace(b"1.1", b"1.0") + chunked
                                         + b"Connection: keep-alive\r\n\r\n0\r\n\r\n",
            "an old version with chunks": HEAD.replace(b"1.1", b"1.0") + chunked + b"\r\n0\r\n\r\n",
        }
        for name, request in cases.items():
            with self.subTest(name):
                statuses = self.statuses(self.talk(request + hidden))
                self.assertEqual(len(statuses), 1, statuses)
                self.assertIn(statuses[0], (400, 413, 501, 505))

    def test_pages_cannot_be_named_in_other_ways(self):
        for target in (b"//healthz", b"/../healthz", b"/%2e%2e/healthz", b"/healthz%00",
                       b"/healthz%2f", b"/healthz;x", b"/HEALTHZ"):
            with self.subTest(target):
                answer = self.talk(GET.replace(b"/healthz", target))
                self.assertIn(self.statuses(answer)[0], (400, 404))


class ConnectionsTest(HostileTest):
    def test_slow_and_half_open_connections_hinder_nobody(self):
        slow = [self.connect() for _ in range(200)]
        for byte in GET[:30]:
            for connection in slow:
                connection.send(bytes([byte]))
        for connection in slow[::2]:
            connection.shutdown(socket.SHUT_WR)
        self.check_others_are_served()
        for connection in slow[::2]:
            self.assertEqual(self.rest_of(connection), "", "Half a request has no answer.")
        for connection in slow[1::2]:
            connection.sendall(GET[30:])
            self.assertEqual(self.statuses(connection.recv(1 << 16).decode()), [200])

    def test_readers_that_never_read_hinder_nobody(self):
        client = self.server.client()
        client.post("/v1/definitions", one_task("big"))
        started = client.post(
            "/v1/instances", {"definitionId": "big", "variables": {"text": "x" * 1_000_000}})
        request = GET.replace(b"/healthz", b"/v1/instances/" + started.json()["id"].encode())
        before = self.memory_bytes()
        for _ in range(10):
            connection = self.connect()
            connection.setblocking(False)
            try:
                connection.sendall(request * 1000)  # A gigabyte of answers.
            except BlockingIOError:
                pass
        self.check_others_are_served()
        self.assertLess(self.memory_bytes() - before, 256 << 20)

    def test_connections_that_vanish_leave_nothing(self):
        on_and_zero = (1).to_bytes(4, sys.byteorder) + bytes(4)
        poll = b'{"workerId":"w","jobTypes":["none"],"waitSeconds":60}'
        request = (b"POST /v1/jobs/poll HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                   % len(poll)) + poll
        for text in (b"", GET[:10], request, GET * 100):
            for _ in range(50):
                connection = self.connect()
                connection.sendall(text)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, on_and_zero)
                connection.close()
        self.check_others_are_served()
        metrics = self.server.metrics_client()  # One that is kept, and the only one left.
        wait_until(lambda: self.open_connections(metrics) == 1, "the server to forget them")

    def open_connections(self, metrics):
        text = metrics.get("/metrics").text
        return float(re.search(r"^\w*http_connections\S* (\S+)$", text, re.MULTILINE)[1])

    def test_ten_thousand_idle_connections_cost_little(self):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if hard != resource.RLIM_INFINITY and hard < IDLE_CONNECTIONS + 200:
            self.skipTest(f"Only {hard} files may be open here.")
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.check_others_are_served()
        before = self.memory_bytes()

        connections = []
        self.addCleanup(lambda: [connection.close() for connection in connections])
        for _ in range(IDLE_CONNECTIONS):
            connection = socket.create_connection(
                ("127.0.0.1", self.server.rest_port), PATIENCE_SECONDS)
            connections.append(connection)
            connection.sendall(GET)  # Each has been used once.
        for connection in connections:
            self.assertTrue(connection.recv(1 << 12).startswith(b"HTTP/1.1 200 "))

        each = (self.memory_bytes() - before) / IDLE_CONNECTIONS
        self.assertLess(each, IDLE_BYTES_MAX)
        began = time.monotonic()
        self.check_others_are_served()
        self.assertLess(time.monotonic() - began, ANSWER_SECONDS_MAX)
        connections[0].sendall(GET)
        self.assertTrue(connections[0].recv(1 << 12).startswith(b"HTTP/1.1 200 "))


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    keep_no_freed_memory()
    unittest.main()
