#!/usr/bin/env python3
"""Rows that somebody else has locked: they harm the commands on them and nobody else.

Usage: splitting_test.py PROGRAM [unittest arguments]
"""

import os
import signal
import subprocess
import sys
import threading
import time
import unittest

from client import PATIENCE_SECONDS
from definitions import definition, step
from server import PostgresStore, ServerTestCase, end_with_parent, wait_until

# Far less than the 26 seconds that one locked row once cost all others.
SOON_SECONDS = 10
STOP_SECONDS = 12


class Session:
    """A session of psql that stays open, as a forgotten one does."""

    def __init__(self, store):
        self._process = subprocess.Popen(
            ["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", store.url], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, preexec_fn=end_with_parent)

    def run(self, statements):
        self._process.stdin.write(statements + ";\n\\echo done\n")
        self._process.stdin.flush()
        lines = []
        while (line := self._process.stdout.readline().strip()) != "done":
            assert self._process.poll() is None, "psql has ended, see above"
            lines.append(line)
        return lines

    def discard(self):
        self._process.stdin.close()
        self._process.wait(PATIENCE_SECONDS)
        self._process.stdout.close()


class LockedRowTest(ServerTestCase):
    INSTANCES = 30

    def setUp(self):
        self.store = self.new_store(PostgresStore)
        self.server = self.new_server(self.store, "--shutdown-seconds", "3")
        client = self.server.client()
        waiting = definition("waiting", step("wait", "WAIT", nextStep="end"), step("end", "END"))
        self.assertEqual(client.post("/v1/definitions", waiting).status, 201)
        self.ids = [client.post("/v1/instances", {"definitionId": "waiting"}).json()["id"]
                    for _ in range(self.INSTANCES)]
        self.session = Session(self.store)
        self.addCleanup(self.session.discard)
        self.answers = {}

    def lock_one(self):
        """Locks the oldest instance."""
        self.session.run("BEGIN; SELECT 1 FROM instance ORDER BY id LIMIT 1 FOR UPDATE")

    def cancel(self, instance_id):
        reply = self.server.client().post(f"/v1/instances/{instance_id}/cancel", {})
        self.answers[instance_id] = reply.status

    def cancel_all(self):
        threads = [threading.Thread(target=self.cancel, args=[each]) for each in self.ids]
        for thread in threads:
            thread.start()
        return threads

    def test_a_locked_row_holds_up_nobody_else(self):
        self.lock_one()
        started_at = time.monotonic()
        threads = self.cancel_all()
        wait_until(lambda: len(self.answers) == self.INSTANCES - 1, "the others")
        self.assertLess(time.monotonic() - started_at, SOON_SECONDS)
        self.assertEqual(set(self.answers.values()), {200})
        self.assertEqual(self.server.client().get("/readyz").status, 200)
        self.session.run("COMMIT")
        for thread in threads:
            thread.join(PATIENCE_SECONDS)
        self.assertEqual(set(self.answers.values()), {200})
        self.assertEqual(len(self.answers), self.INSTANCES)

    def test_a_server_stops_in_time_although_a_row_is_locked(self):
        self.lock_one()
        caller = threading.Thread(target=self.try_to_cancel, args=[self.ids[0]])
        caller.start()
        wait_until(lambda: "55P03" in "".join(self.server.log), "the lock to be met")
        started_at = time.monotonic()
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(), 0)
        self.assertLess(time.monotonic() - started_at, STOP_SECONDS)
        caller.join(PATIENCE_SECONDS)

    def try_to_cancel(self, instance_id):
        try:
            self.cancel(instance_id)
        except Exception:  # The server went away: that is the point.
            pass


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
