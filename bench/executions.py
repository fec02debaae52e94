"""Parts about the execution queue: how fast it takes, lets in and starts, and how fairly."""

import contextlib
import threading
import time

import rest

ENQUEUES = {"single": 1, "batch": 100}
ENQUEUE_CLIENTS = [1, 64]
FILL_CLIENTS, FILL_BATCH = 4, 500
DEFINITION = "bench"
# It ends in the transaction that lets it in.
ENDS_AT_ONCE = {"id": DEFINITION, "name": "Bench", "steps": [
    {"id": "work", "name": "Work", "type": "TRANSFORMATION",
     "transformations": {"total": "amount * 2"}, "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]}
LOAD_SHARE = 0.5  # Of what can be enqueued and let in at once.
FLOOD_FACTOR = 20  # How much more the one that floods has in line than each of the others.
DRAIN_SECONDS_MAX = 1200


def jain(shares):
    """1 when all have the same, 1/n when one of n has it all."""
    total = sum(shares)
    return total * total / (len(shares) * sum(each * each for each in shares)) if total else 0


class ExecutionParts:
    """Of a bench on PostgreSQL."""

    def measure_executions(self):
        count, many = self.extent["executions"], self.extent["workspaces"]
        self.result["executions"] = {"count": count, "workspaces": many}
        self.result["executions"]["enqueue"] = {
            f"{mode} {clients}": self.enqueue_rate(clients, batch_size)
            for mode, batch_size in ENQUEUES.items() for clients in ENQUEUE_CLIENTS}
        self.result["executions"]["dispatch"] = {
            "one": self.dispatch_rate(count, 1, 1),
            "many": self.dispatch_rate(count, many, 1),
            "replicas": self.dispatch_rate(count, many, 2)}
        self.result["executions"]["latency"] = {"idle": self.idle_start(),
                                                "loaded": self.loaded_start(many)}

    def enqueue_rate(self, clients, batch_size):
        """Into a workspace that is paused, so that nothing else happens."""
        with self.database("enqueue") as (target, _), self.serve(target) as server:
            self.make_workspaces(server, 1, paused=True)
            return self.enqueue(server, "--clients", clients, "--batch", batch_size,
                                "--seconds", self.extent["load_seconds"])

    def enqueue(self, server, *arguments):
        return self.load("enqueues", [server], "--job-type", DEFINITION, *arguments)

    def make_workspaces(self, server, count, definitions=(ENDS_AT_ONCE,), **settings):
        client = rest.Client(server.port)
        client.each(lambda number: client.make_workspace(f"bench-{number}", definitions, **settings),
                    range(count))

    @contextlib.contextmanager
    def filling(self, target, *arguments):
        """A server that takes executions and lets none in. What it took is found as if it had come
        just before: without a dispatcher nobody has woken the workspaces."""
        with self.serve(target, "--engine-enabled", "false", *arguments) as server:
            yield server
        self.store.ask("dispatch", "UPDATE workspace_queue SET runnable = true")
        self.store.settle("dispatch")

    def fill(self, server, count, workspaces):
        """So many in line, as many in each workspace."""
        batch = min(FILL_BATCH, count // workspaces)
        self.enqueue(server, "--clients", FILL_CLIENTS, "--batch", batch, "--count", count,
                     "--workspaces", workspaces)

    def wake(self, server):
        """One more wakes the dispatcher, which looks for itself only every few seconds."""
        rest.Client(server.port).enqueue("bench-0", DEFINITION, input={"amount": 1})

    def dispatch_rate(self, count, workspaces, replicas):
        """How fast a backlog is let in, started and over, from the times in its rows."""
        with self.database("dispatch") as (target, _):
            with self.filling(target) as server:
                self.make_workspaces(server, workspaces)
                self.fill(server, count, workspaces)
            wal = self.store.wal_bytes()
            with contextlib.ExitStack() as stack:
                servers = self.serve_all(stack, target, replicas)
                before = self.cpu_seconds(servers)
                for server in servers:
                    self.wake(server)
                self.wait_until_over("dispatch")
                cost = self.cpu_microseconds_since(before, servers, count)
            cost.pop("driver")
            return {"perSecond": self.started_per_second("dispatch"), "cpuMicroseconds": cost,
                    "walBytes": (self.store.wal_bytes() - wal) / count}

    def started_per_second(self, database):
        """The first round began before the first time that is known, so it is not counted."""
        return float(self.store.ask(database, """
            WITH beginning AS MATERIALIZED (SELECT min(started_at) AS first FROM execution)
            SELECT count(*) FILTER (WHERE started_at > (TABLE beginning))
                   / greatest(extract(epoch FROM max(started_at) - (TABLE beginning)), 0.001)
            FROM execution
            WHERE started_at IS NOT NULL"""))

    def wait_until(self, database, question, seconds_max=DRAIN_SECONDS_MAX):
        deadline = time.monotonic() + seconds_max
        while self.store.ask(database, question) != "t":
            if time.monotonic() > deadline:
                raise RuntimeError(f"after {seconds_max} s this is not so: {question}\n"
                                   + self.log.read_text())
            time.sleep(0.1)

    def wait_until_over(self, database):
        self.wait_until(database, "SELECT NOT EXISTS (SELECT FROM execution_open)")

    def idle_start(self):
        with self.database("idle") as (target, _), self.serve(target) as server:
            return self.load("enqueue_latency", [server], "--rounds", self.extent["rounds"])

    def loaded_start(self, workspaces):
        """The same beside clients that enqueue into many workspaces, and for what they enqueue."""
        rate = self.load_rate()
        with self.database("loaded") as (target, _), self.serve(target) as server:
            self.make_workspaces(server, workspaces)
            self.store.settle("loaded")
            beside = threading.Thread(target=self.enqueue, args=[
                server, "--clients", 64, "--workspaces", workspaces, "--rate", rate,
                "--seconds", self.extent["load_seconds"]])
            beside.start()
            try:
                seen = self.load("enqueue_latency", [server], "--rounds",
                                 max(self.extent["rounds"] // 10, 10))
            finally:
                beside.join()
            self.wait_until_over("loaded")
            return {"rate": rate, "seen": seen, "stored": self.stored_latency("loaded")}

    def load_rate(self):
        """Half of what can come and be let in at once, when both share this machine."""
        measured = self.result["executions"]
        come = measured["enqueue"]["single 64"]["perSecond"]
        let_in = measured["dispatch"]["many"]["perSecond"]
        return round(LOAD_SHARE * come * let_in / (come + let_in))

    def stored_latency(self, database):
        """From the time of the enqueue to that of the start, as the rows have them."""
        p50, p99, count = self.store.ask(database, f"""
            SELECT 1000 * percentile_cont(0.5) WITHIN GROUP (ORDER BY took) || ' '
                   || 1000 * percentile_cont(0.99) WITHIN GROUP (ORDER BY took) || ' ' || count(*)
            FROM (SELECT extract(epoch FROM started_at - created_at) AS took FROM execution
                  WHERE definition_id = '{DEFINITION}') AS each""").split()
        return {"p50Ms": float(p50), "p99Ms": float(p99), "count": int(count)}

    def measure_fairness(self):
        """Until the first of the others has nothing in line any more, all compete."""
        others, each = self.extent["competitors"] - 1, self.extent["competing"]
        with self.database("dispatch") as (target, _):
            with self.filling(target) as server:
                self.make_workspaces(server, others + 1)
                # The flood is in line before the others come.
                self.fill(server, each * FLOOD_FACTOR, 1)
                self.fill(server, each * (others + 1), others + 1)
            with self.serve(target) as server:
                self.wake(server)
                self.wait_until_over("dispatch")
            shares = self.store.ask("dispatch", """
                SELECT count(*) FILTER (WHERE started_at <= (
                    SELECT min(last) FROM (
                        SELECT max(started_at) AS last FROM execution GROUP BY workspace_id) AS ends))
                FROM execution GROUP BY workspace_id ORDER BY workspace_id""")
        shares = [int(share) for share in shares.split()]
        self.result["fairness"] = {"workspaces": others + 1, "each": each,
                                   "flood": each * (FLOOD_FACTOR + 1), "shares": shares,
                                   "jain": jain(shares)}
