#!/usr/bin/env python3
"""Takes the server's log away while it runs: nothing but the log is lost.

Usage: log_test.py PROGRAM [unittest arguments]
"""

import contextlib
import json
import os
import pathlib
import pty
import re
import select
import signal
import sqlite3
import subprocess
import sys
import time
import unittest
import urllib.request

from client import PATIENCE_SECONDS
from definitions import one_task
from server import READY, ServerTestCase, SqliteStore, end_with_parent, wait_until

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/reference/log.md"


def free_port():
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class LogTest(ServerTestCase):
    def launch(self, output, *options, **environment):
        """A server whose standard output is the caller's; the port is known beforehand."""
        self.port = free_port()
        store = self.new_store(SqliteStore)
        process = subprocess.Popen(
            [self.program, "serve", "--store", store.url, "--rest-port", str(self.port),
             "--grpc-port", "0", "--metrics-port", "0", "--log-level", "debug", *options],
            stdout=output, env={**os.environ, **environment}, preexec_fn=end_with_parent)
        self.addCleanup(process.kill)
        return process

    def answers(self):
        url = f"http://127.0.0.1:{self.port}/v1/definitions"
        with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS) as reply:
            return reply.status == 200

    def wait_until_it_answers(self):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return self.answers()
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)  # Between questions; the deadline decides.

    def test_a_server_outlives_the_reader_of_its_log(self):
        reader, writer = os.pipe()
        process = self.launch(writer)
        os.close(writer)
        with os.fdopen(reader) as log:
            self.assertTrue(any(READY in line for line in log))
        for _ in range(3):
            self.assertTrue(self.answers())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_SECONDS), 0)

    def test_a_server_outlives_a_full_disk_under_its_log(self):
        with open("/dev/full", "wb") as full:
            process = self.launch(full)
        self.assertTrue(self.wait_until_it_answers())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_SECONDS), 0)

    def terminal_log(self, **environment):
        """What a server writes to a terminal from its start to its end."""
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"There is no terminal to be had here: {error}.")
        self.addCleanup(os.close, ours)
        process = self.launch(theirs, **environment)
        os.close(theirs)
        text = b""
        while READY.encode() not in text:
            self.assertTrue(select.select([ours], [], [], PATIENCE_SECONDS)[0], text)
            text += os.read(ours, 4096)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_SECONDS), 0)
        return text.decode()

    def test_lines_are_readable_and_coloured_on_a_terminal_only(self):
        self.assertIn(f"\x1b[32minfo \x1b[0m {READY}", self.terminal_log(NO_COLOR=""))
        self.assertIn(f" info  {READY}", self.terminal_log(NO_COLOR="1"))
        server = self.new_server()
        self.assertIn(READY, server.log_messages())
        for line in server.log:
            self.assertEqual(list(json.loads(line))[:3], ["time", "level", "message"])


class RequestLogTest(ServerTestCase):
    """What became of a request is found by its id, at the default level, as the page has it."""

    def documented(self, message):
        rows = re.findall(r"^\| `(.+?)` \| (\w+) \| (.+?) \|", PAGE.read_text("utf-8"), re.M)
        fields = {name: set(re.findall("`(.+?)`", text)) for name, _, text in rows}
        levels = {name: level for name, level, _ in rows}
        common = fields["Answered a request."]
        return levels[message], fields[message] | common

    def line_of(self, server, request_id):
        def found():
            lines = [json.loads(line) for line in server.log if request_id in line]
            return lines[0] if lines else None
        line = wait_until(found, f"a line with {request_id}")
        level, fields = self.documented(line["message"])
        self.assertEqual(line["level"], level)
        self.assertLessEqual(set(line) - {"time", "level", "message"}, fields)
        return line

    def test_a_refused_request(self):
        server = self.new_server()
        reply = server.client().get("/v1/definitions/none")
        self.assertEqual(reply.status, 404)
        line = self.line_of(server, reply.json()["requestId"])
        self.assertEqual((line["message"], line["status"], line["method"], line["route"]),
                         ("Refused a request.", 404, "GET", "/v1/definitions/{id}"))

    def test_a_damaged_store(self):
        """The file is damaged under a running server: callers get a neutral 500, the log the reason."""
        server = self.new_server()
        self.assertEqual(server.client().post("/v1/definitions", one_task("a")).status, 201)
        self.assertEqual(server.stop(), 0)
        with contextlib.closing(sqlite3.connect(server.store.path)) as database:
            root, size = database.execute(
                "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size() "
                "WHERE name = 'definition'").fetchone()
        with open(server.store.path, "r+b") as file:
            file.seek((root - 1) * size)
            file.write(b"\x5a" * size)
        server.start()
        reply = server.client().get("/v1/definitions/a")
        self.assertEqual(reply.status, 500)
        self.assertEqual(reply.json()["message"], "Something went wrong here; the log says more.")
        line = self.line_of(server, reply.json()["requestId"])
        self.assertEqual((line["message"], line["error"]), (
            "A request failed.", "The file of the store is damaged (SQLite error 11)."))
        self.assertTrue(any("does not do as asked" in each and "is damaged" in each
                            for each in server.log))


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
