"""A part about the execution queue: how fast it hands on to Temporal, beside Temporal's own rate."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys

from executions import DEFINITION

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))

import with_temporal

IN_FLIGHT = 64  # As many starts at a time as a server has for one cluster.
# A cluster that refuses none for being too many: what is compared is the speed of both ways.
SETTINGS = ["frontend.namespaceRPS=100000", "frontend.rps=100000", "history.rps=100000",
            "matching.rps=100000"]
NOBODYS_QUEUE = "nobody"  # Runs there stay where they are: what is measured is their start.
ALL_ARE_DISPATCHED = """\
SELECT NOT EXISTS (SELECT FROM execution_open WHERE queue_status <> 'DISPATCHED')"""


def server_address(stack):
    """Of the Temporal server beside us, or of one of our own."""
    address = os.environ.get("MILLRACE_TEST_TEMPORAL")
    if address:
        return address
    server = with_temporal.Server(SETTINGS)
    stack.callback(server.stop)
    return server.start().address


class TemporalParts:
    """Of a bench on PostgreSQL."""

    def measure_temporal(self):
        """In turn, so that what disturbs the machine disturbs both alike."""
        ours, theirs = [], []
        with contextlib.ExitStack() as stack:
            address = server_address(stack)
            for _ in range(self.extent["temporal_turns"]):
                theirs.append(self.own_starts(address))
                ours.append(self.dispatch_to_temporal(address))
        self.result["temporal"] = {"starts": self.extent["temporal_starts"], "inFlight": IN_FLIGHT,
                                   "ours": ours, "theirs": theirs}

    def own_starts(self, address):
        done = subprocess.run(
            [self.build / "bench/temporal_start/temporal_start", "--address", address,
             "--task-queue", NOBODYS_QUEUE, "--starts", str(self.extent["temporal_starts"]),
             "--in-flight", str(IN_FLIGHT)], check=True, text=True, stdout=subprocess.PIPE)
        return json.loads(done.stdout)

    def dispatch_to_temporal(self, address):
        count = self.extent["temporal_starts"]
        definition = {"id": DEFINITION, "name": "Bench", "executor": {
            "kind": "temporal", "taskQueue": NOBODYS_QUEUE, "workflowType": "Nothing"}}
        with self.database("dispatch") as (target, _):
            with self.filling(target, "--temporal-address", address) as server:
                self.make_workspaces(server, 1, [definition])
                self.fill(server, count, 1)
            with self.serve(target, "--temporal-address", address) as server:
                before = self.cpu_seconds([server])
                self.wake(server)
                self.wait_until("dispatch", ALL_ARE_DISPATCHED)
                cost = self.cpu_microseconds_since(before, [server], count)
            return {"perSecond": self.dispatched_per_second("dispatch"),
                    "cpuMicroseconds": {who: cost[who] for who in ("server", "database")}}

    def dispatched_per_second(self, database):
        """From the first claim to the last answer. One that is claimed again has lost the time of its
        first claim: then the beginning is when the last one came, which woke the dispatcher."""
        return float(self.store.ask(database, """
            SELECT count(*) / extract(
                epoch FROM max(dispatched_at) - least(min(claimed_at), max(created_at)))
            FROM execution"""))
