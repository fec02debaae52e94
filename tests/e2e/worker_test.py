#!/usr/bin/env python3
"""`millrace worker` where things go wrong: cancelled jobs, large ones, commands that do not end.

Usage: worker_test.py PROGRAM [unittest arguments]
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from client import PATIENCE_SECONDS
from definitions import one_task
from server import ServerTestCase, end_with_parent, wait_until

LEASE_SECONDS = "5"  # The shortest.


class WorkerTest(ServerTestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="millrace_worker_")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.server = self.new_server()
        self.client = self.server.client()

    def start_instance(self, variables=None):
        definition = one_task("work", retryCount=1)
        self.assertIn(self.client.post("/v1/definitions", definition).status, (200, 201))
        started = self.client.post(
            "/v1/instances", {"definitionId": "work", "variables": variables or {}})
        self.assertEqual(started.status, 201, started)
        return started.json()["id"]

    def worker(self, command, *options):
        log = open(self.directory / "worker.log", "w+", encoding="utf-8")
        self.addCleanup(log.close)
        process = subprocess.Popen(
            [self.program, "worker", "--type", "work", "--exec", command, "--server",
             f"http://127.0.0.1:{self.server.rest_port}", "--lease", LEASE_SECONDS, *options],
            stdout=log, stderr=log, preexec_fn=end_with_parent)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def log(self):
        return (self.directory / "worker.log").read_text(encoding="utf-8")

    def file(self, name):
        return self.directory / name

    def wait_for_status(self, instance, status):
        wait_until(lambda: self.client.get(f"/v1/instances/{instance}").json()["status"] == status,
                   f"{status}; the worker said:\n{self.log()}")

    def long_command(self):
        """Says that it has begun, and when it is asked to end."""
        begun, ended = self.file("begun"), self.file("ended")
        return (f"trap 'echo > {ended}; exit 1' TERM; echo > {begun};"
                " while true; do sleep 0.1; done")

    def test_cancelled_instance_ends_its_command(self):
        instance = self.start_instance()
        worker = self.worker(self.long_command())
        wait_until(self.file("begun").exists, "the command")
        self.assertEqual(self.client.post(f"/v1/instances/{instance}/cancel", {}).status, 200)
        wait_until(self.file("ended").exists, "the end of the command")
        wait_until(lambda: "not reported" in self.log(), "the worker's word about it")
        worker.send_signal(signal.SIGTERM)
        self.assertEqual(worker.wait(PATIENCE_SECONDS), 0)

    def test_command_beyond_the_grace_costs_no_retry(self):
        instance = self.start_instance()
        worker = self.worker(self.long_command(), "--grace", "0")
        wait_until(self.file("begun").exists, "the command")
        worker.send_signal(signal.SIGTERM)
        self.assertEqual(worker.wait(PATIENCE_SECONDS), 0)
        self.assertTrue(self.file("ended").exists())
        # By its release, or where a server knows none, by the end of its lease.
        job = wait_until(lambda: [each for each in self.client.get(
            f"/v1/jobs?instanceId={instance}&status=UNLOCKED").json()["items"]], "the job")[0]
        self.assertEqual(job["retriesRemaining"], 1)

    def test_large_jobs_are_taken_together(self):
        variables = {"values": [0] * 150_000}
        instances = [self.start_instance(variables) for _ in range(8)]
        self.worker("cat > /dev/null", "--parallel", "8")
        for instance in instances:
            self.wait_for_status(instance, "COMPLETED")

    def test_command_that_closes_its_outputs_gets_all_its_input(self):
        instance = self.start_instance({"text": "x" * 1_000_000})
        self.worker("exec 1>&- 2>&-; test $(wc -c) -gt 1000000")
        self.wait_for_status(instance, "COMPLETED")


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
