#!/usr/bin/env python3
"""Takes the server's log away while it runs: nothing but the log is lost.

Usage: log_test.py PROGRAM [unittest arguments]
"""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
import unittest
import urllib.request

from client import PATIENCE_SECONDS
from server import READY, ServerTestCase, SqliteStore, end_with_parent


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
             "--metrics-port", "0", "--log-level", "debug", *options],
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


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
