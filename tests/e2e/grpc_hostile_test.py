#!/usr/bin/env python3
"""What strangers can do to the gRPC port with frames that no client of gRPC sends.

Usage: grpc_hostile_test.py PROGRAM [unittest arguments]

Goal: each of them loses its connection or is not read, the server takes no memory for it, and a good
client notices nothing.
Method: HTTP/2 by hand on a socket; the system's own record of the most that the process has had.
"""

import pathlib
import re
import resource
import socket
import struct
import sys
import unittest

from client import PATIENCE_SECONDS
from rpc import Engine
from server import ServerTestCase, keep_no_freed_memory, wait_until

MIB = 1 << 20
GROWTH_MAX = 24 * MIB  # What a server takes for a few clients, and for sanitizers some more.
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, CONTINUATION = 0, 1, 3, 4, 6, 9
END_STREAM, END_HEADERS = 1, 4
CANCEL = 8
REFLECT = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"


def frame(kind, flags, stream, payload=b""):
    return struct.pack("!I", len(payload))[1:] + bytes([kind, flags]) + struct.pack("!I", stream) + payload


def field(name, value):
    """A literal of HPACK, not indexed, without Huffman's code."""
    def text(words):
        assert len(words) < 127
        return bytes([len(words)]) + words.encode()
    return b"\0" + text(name) + text(value)


def head(path):
    return b"".join(field(*each) for each in (
        (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "localhost"),
        ("te", "trailers"), ("content-type", "application/grpc")))


class GrpcHostileTest(ServerTestCase):
    def setUp(self):
        keep_no_freed_memory()
        self.server = self.new_server()
        self.good = Engine(self.server.grpc_port)
        self.addCleanup(self.good.close)
        self.check_good_client()
        pathlib.Path(f"/proc/{self.server.pid()}/clear_refs").write_text("5", encoding="ascii")
        self.before = self.peak_bytes()

    def peak_bytes(self):
        status = pathlib.Path(f"/proc/{self.server.pid()}/status").read_text(encoding="ascii")
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) << 10

    def check_good_client(self):
        self.good.ListDefinitions()

    def check_all_is_well(self):
        self.assertLess(self.peak_bytes() - self.before, GROWTH_MAX)
        self.check_good_client()

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.server.grpc_port), PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        connection.sendall(PREFACE + frame(SETTINGS, 0, 0))
        return connection

    def send_until_cut(self, pieces, bytes_max):
        """Sends as much as the server lets us; true when it has cut the connection."""
        connection = self.connect()
        sent = 0
        try:
            for piece in pieces:
                connection.sendall(piece)
                sent += len(piece)
                if sent > bytes_max:
                    return False
        except (BrokenPipeError, ConnectionResetError):
            return True
        raise AssertionError("There are not enough pieces.")

    def test_calls_that_are_left_at_once(self):
        def resets():
            for stream in range(1, 2_000_001, 2):
                yield (frame(HEADERS, END_HEADERS, stream, head(REFLECT)) +
                       frame(RST_STREAM, 0, stream, struct.pack("!I", CANCEL)))
        self.assertTrue(self.send_until_cut(resets(), 256 * MIB))
        self.check_all_is_well()

    def test_a_header_without_end(self):
        def continuations():
            yield frame(HEADERS, 0, 1, head(REFLECT))
            while True:
                yield frame(CONTINUATION, 0, 1, field("a", "b" * 100) * 100)
        self.assertTrue(self.send_until_cut(continuations(), 256 * MIB))
        self.check_all_is_well()

    def test_pings_whose_answers_nobody_reads(self):
        def pings():
            while True:
                yield frame(PING, 0, 0, bytes(8)) * 1_000
        connection = self.connect()
        connection.settimeout(2)
        with self.assertRaises(OSError):  # Cut off, or not read any more.
            for _, piece in zip(range(20_000), pings()):
                connection.sendall(piece)
        self.check_all_is_well()

    def test_messages_that_are_refused_by_their_first_bytes(self):
        connection = self.connect()
        connection.sendall(frame(HEADERS, END_HEADERS, 1, head(REFLECT)) +
                           frame(DATA, 0, 1, struct.pack("!BI", 0, 15 * MIB)))
        try:
            for _ in range(4_000):
                connection.sendall(frame(DATA, 0, 1, bytes(16_000)))
        except (BrokenPipeError, ConnectionResetError):
            pass  # Whether it is read on or cut off: it takes no memory.
        self.check_all_is_well()

    def test_a_port_without_descriptors_accepts_again(self):
        _, hard = resource.prlimit(self.server.pid(), resource.RLIMIT_NOFILE)
        used = len(list(pathlib.Path(f"/proc/{self.server.pid()}/fd").iterdir()))
        resource.prlimit(self.server.pid(), resource.RLIMIT_NOFILE, (used + 20, hard))
        crowd = [self.connect() for _ in range(60)]
        wait_until(lambda: "Cannot accept a connection." in self.server.log_messages(),
                   "The server runs out of descriptors.")
        for connection in crowd:
            connection.close()
        other = Engine(self.server.grpc_port)
        self.addCleanup(other.close)
        other.ListDefinitions()

    def test_a_client_of_http_is_told_where_it_is(self):
        with socket.create_connection(("127.0.0.1", self.server.grpc_port), PATIENCE_SECONDS) as client:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = client.recv(4096)
        self.assertIn(b"This port speaks gRPC.", answer)


if __name__ == "__main__":
    ServerTestCase.program = sys.argv.pop(1)
    unittest.main()
