"""What the contract tests share: one server for all of them, and short words for its calls."""

import sys
import unittest

from client import Client
from server import wait_until
from wire_contract import NO_ID

__all__ = ["ID", "INSTANCE_KEYS", "NO_ID", "TIME", "ContractTestCase", "run_beside"]

INSTANCE_KEYS = {
    "id", "definitionId", "definitionVersion", "status", "currentStepIds", "variables", "startedAt",
    "variablesVersion"}
TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,5}[1-9])?Z$"  # UTC, no zeros at the end.
ID = r"^[0-9A-HJKMNP-TV-Z]{26}$"


class ContractTestCase(unittest.TestCase):
    """Each test uses a definition of its own name, so that they do not meet."""

    server = None

    def setUp(self):
        self.client = self.new_client()

    def new_client(self):
        client = Client(lambda: self.server.rest_port)
        self.addCleanup(client.close)
        return client

    def expect(self, status, method, path, body=None, headers=None):
        reply = self.client.call(method, path, body, headers)
        self.assertEqual(reply.status, status, f"{method} {path}: {reply}")
        return reply

    def get(self, path, status=200):
        return self.expect(status, "GET", path)

    def post(self, path, body=None, status=200):
        return self.expect(status, "POST", path, body)

    def expect_error(self, status, code, reason, method, path, body=None, headers=None):
        """`reason` is a pattern. Every error has the same keys."""
        reply = self.expect(status, method, path, body, headers)
        self.check_error(reply.json(), code, reason)
        self.assertEqual(reply.headers["Content-Type"], "application/json")
        self.assertTrue(reply.body.endswith(b"}\n"))
        return reply.json()

    def check_error(self, error, code, reason):
        self.assertEqual(list(error), ["error", "reason", "message", "requestId", "details"])
        self.assertEqual(error["error"], code)
        self.assertRegex(error["reason"], reason)
        self.assertEqual(error["message"], error["reason"])
        for detail in error["details"]:
            self.assertEqual(set(detail), {"path", "message"})

    def upload(self, definition):
        return self.post("/v1/definitions", definition, 201).json()

    def start(self, definition_id, **fields):
        return self.post("/v1/instances", {"definitionId": definition_id, **fields}, 201).json()

    def instance(self, instance_id):
        return self.get(f"/v1/instances/{instance_id}").json()

    def history(self, instance_id):
        return self.get(f"/v1/instances/{instance_id}/history").json()["items"]

    def wait_for_step(self, instance_id, step_id):
        wait_until(lambda: step_id in self.instance(instance_id)["currentStepIds"], step_id)

    def poll(self, job_type, worker_id="w", **fields):
        body = {"workerId": worker_id, "jobTypes": [job_type], **fields}
        return self.post("/v1/jobs/poll", body).json()["jobs"]

    def claim(self, job_type, worker_id="w", **fields):
        """The one job that there is."""
        jobs = self.poll(job_type, worker_id, **fields)
        self.assertEqual(len(jobs), 1)
        return jobs[0]

    def complete_job(self, job_id, status=204, **body):
        return self.post(f"/v1/jobs/{job_id}/complete", body, status)

    def fail_job(self, job_id, status=204, **body):
        return self.post(f"/v1/jobs/{job_id}/fail", body, status)


def run_beside(server, store):
    """Runs the cases of the program's main module, all beside this server, and returns the exit code.
    The server must end well, too."""
    try:
        ContractTestCase.server = server.start()
        is_passed = unittest.main(exit=False).result.wasSuccessful()
        exit_code = server.stop()
    finally:
        server.discard()
        store.remove()
    if exit_code != 0:
        sys.exit(f"The server stopped with exit code {exit_code}.")
    return 0 if is_passed else 1
