"""Temporal servers that a test owns, with workers and proxies: killed, restarted and asked as it likes."""

import base64
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import temporal_programs
import with_temporal
from client import PATIENCE_SECONDS
from with_temporal import API_KEY, TASK_QUEUE, Proxy, TlsFiles, Worker

__all__ = ["API_KEY", "TASK_QUEUE", "Proxy", "Temporal", "TlsFiles", "Worker", "value_of"]


def value_of(payload):
    """What a payload of a history says."""
    return json.loads(base64.b64decode(payload["data"]))


class Temporal(with_temporal.Server):
    """A server whose runs survive its end. Its address stays the same. Start it, as workers and
    proxies, on the main thread: they end with the thread that started them."""

    def __init__(self, settings=()):
        self._directory = tempfile.TemporaryDirectory(prefix="temporal-")
        super().__init__(settings, self._directory.name)

    def discard(self):
        """Frees what a test left behind."""
        self.stop()
        self._directory.cleanup()

    def restart(self):
        """As an upgrade does it. After kill(), start() is enough."""
        self.stop()
        self.start()

    def new_worker(self, **options):
        return Worker(self.address, **options).start()

    def new_proxy(self, **options):
        return Proxy(self.address, **options).start()

    def runs(self, workflow_id):
        """What the server's list has of all runs of an id; it lags a little behind."""
        return self._ask("workflow", "list", "--query", f'WorkflowId = "{workflow_id}"')

    def run_counts(self):
        """How many runs the server's list has of each id."""
        return collections.Counter(
            each["execution"]["workflowId"] for each in self._ask("workflow", "list"))

    def count_runs(self, workflow_id):
        return len(self.runs(workflow_id))

    def describe(self, workflow_id):
        """The latest run of an id, or None when there is none."""
        try:
            return self._ask("workflow", "describe", "--workflow-id", workflow_id)
        except subprocess.CalledProcessError as failure:
            if "not found" in failure.stderr:
                return None
            raise

    def status(self, workflow_id):
        """RUNNING, COMPLETED, FAILED, CANCELED, TERMINATED, TIMED_OUT; None without a run."""
        described = self.describe(workflow_id)
        if described is None:
            return None
        prefix = "WORKFLOW_EXECUTION_STATUS_"
        return described["workflowExecutionInfo"]["status"].removeprefix(prefix)

    def history(self, workflow_id):
        """The events of the latest run."""
        return self._ask("workflow", "show", "--workflow-id", workflow_id)["events"]

    def terminate(self, workflow_id, reason="by the test"):
        self._run("workflow", "terminate", "--workflow-id", workflow_id, "--reason", reason)

    def signal(self, workflow_id, name="finish"):
        self._run("workflow", "signal", "--workflow-id", workflow_id, "--name", name)

    def start_workflow(self, workflow_id, workflow_type, task_queue=TASK_QUEUE):
        """A run of somebody else."""
        self._run("workflow", "start", "--workflow-id", workflow_id, "--type", workflow_type,
                  "--task-queue", task_queue)

    def create_namespace(self, name, retention="24h"):
        self._run("operator", "namespace", "create", "--namespace", name, "--retention", retention)

    def _ask(self, *arguments):
        return json.loads(self._run(*arguments, "--output", "json"))

    def _run(self, *arguments):
        return subprocess.run(
            [temporal_programs.server().built(), *arguments, "--address", self.address], check=True,
            text=True, capture_output=True, timeout=PATIENCE_SECONDS,
            env=with_temporal.clean_environment()).stdout
