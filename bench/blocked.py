"""A part about the execution queue: what a round costs beside many that are held back."""

import contextlib
import statistics
import time

import rest
from executions import DEFINITION, ENDS_AT_ONCE

# It keeps its slot.
STAYS = {"id": "stays", "name": "Stays", "steps": [
    {"id": "wait", "name": "Wait", "type": "WAIT", "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]}
ITEMS_PER_ROUND = 10
ROUND_SECONDS_MAX = 30


class BlockedParts:
    """Of a bench on PostgreSQL."""

    def measure_blocked(self):
        """Rounds that let ten in, beside few and many that are held back, in turn."""
        sizes = {"few": self.extent["blocked_few"], "many": self.extent["blocked_many"]}
        with contextlib.ExitStack() as stack:
            servers = {}
            for kind in ("workspaces", "keys"):
                for size, count in sizes.items():
                    name = f"{kind}_{size}"
                    target, _ = stack.enter_context(self.database(name))
                    servers[name] = stack.enter_context(self.serve(target))
                    getattr(self, "block_" + kind)(name, servers[name], count)
                    self.store.settle(name)
            answers = self.rounds_in_turn(servers)
        self.result["blocked"] = {**sizes, "holders": self.extent["holders"], **answers}

    def block_workspaces(self, name, server, count):
        """Of so many full workspaces; others are let in elsewhere."""
        client = rest.Client(server.port)

        def block(number):
            client.make_workspace(f"full-{number}", [STAYS], maxActive=1)
            for _ in range(2):
                client.enqueue(f"full-{number}", "stays")

        client.make_workspace("bench-0", [ENDS_AT_ONCE])
        client.each(block, range(self.extent["holders"]))
        self.multiply(name, "READY", count)

    def block_keys(self, name, server, count):
        """Of so many full keys; others are let in right there."""
        client = rest.Client(server.port)
        client.make_workspace("bench-0", [ENDS_AT_ONCE, STAYS], maxPerKey=1)

        def block(number):
            for _ in range(2):
                client.enqueue("bench-0", "stays", concurrencyKey=f"key-{number}")

        client.each(block, range(self.extent["holders"]))
        self.multiply(name, "PARKED", count)

    def multiply(self, name, place, count):
        holders = self.extent["holders"]
        self.wait_until(name, f"""SELECT count(*) FILTER (WHERE place = '{place}') = {holders}
                                  AND count(*) = 2 * {holders} FROM execution_open""")
        self.store.add_blocked_executions(name, place, count // holders - 1)

    def rounds_in_turn(self, servers):
        clients = {name: rest.Client(server.port) for name, server in servers.items()}
        took = {name: [] for name in servers}
        for _ in range(self.extent["rounds"]):
            for name, server in servers.items():
                took[name] += self.one_round(clients[name], server.metrics_port)
        return {name: {"p50Ms": 1000 * statistics.median(each),
                       "p99Ms": 1000 * sorted(each)[len(each) * 99 // 100], "count": len(each)}
                for name, each in took.items()}

    def one_round(self, client, metrics_port):
        """How long the round took, or nothing when ten came in more than one."""
        before = rest.metrics(metrics_port)
        client.call("POST", "/v1/workspaces/bench-0/executions:batch", {
            "executions": [{"definitionId": DEFINITION, "input": {"amount": 1}}] * ITEMS_PER_ROUND})
        deadline = time.monotonic() + ROUND_SECONDS_MAX
        while True:
            after = rest.metrics(metrics_port)
            let_in, rounds, seconds = (
                after.get(name, 0) - before.get(name, 0)
                for name in ("queue_items_dispatched_total",
                             "queue_processing_duration_seconds_count",
                             "queue_processing_duration_seconds_sum"))
            if let_in == ITEMS_PER_ROUND:
                return [seconds] if rounds == 1 else []
            if time.monotonic() > deadline:
                raise RuntimeError(f"{let_in:.0f} of {ITEMS_PER_ROUND} were let in, in {rounds:.0f} rounds "
                                   f"of {seconds:.3f} s:\n" + self.log.read_text())
