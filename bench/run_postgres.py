#!/usr/bin/env python3
"""Measures replicas on one PostgreSQL: against its floor, as it ages, beside a bare queue, and the
queue of executions.

Usage: run_postgres.py [--build DIRECTORY] [--quick | --smoke] [--only PART,…] [--save]

Run it beside a PostgreSQL: `make bench-postgres`. Everything it starts listens on loopback or on a
socket in a temporary directory, and ends with it.

--build   where the programs are (build/release)
--quick   about five minutes instead of forty: good for a look, not for a record
--smoke   seconds, and numbers that mean nothing: whether it runs at all
--only    some of floor, replicas, latency, claims, snapshot, queue, executions, fairness, blocked,
          temporal
--save    also writes bench/results/<date>-<commit>-postgres.json and .md
"""

import contextlib
import os
import shutil
import sys

import bench
import blocked
import executions
import report
import report_postgres
import stores
import temporal
from peers import graphile

PARTS = ["floor", "replicas", "latency", "claims", "snapshot", "queue", "executions",
         "fairness", "blocked", "temporal"]
STEPS_PER_FINISHED_INSTANCE = 10  # The driver's sequence has as many.
OTHER_TYPES = 10
CLAIMED_TYPE = "claimed"
FILL = ["--clients", 2, "--batch", 500]
SNAPSHOT_LOAD = ["--clients", 64, "--batch", 100]
SNAPSHOT_BYTES_PER_STEP = 2_000  # Rows, their dead versions and indexes; measured, rounded up.
SNAPSHOT_STEPS_PER_SECOND_MAX = 40_000
# Each side is tried with several settings, and its best counts.
OUR_SETTINGS = [{"clients": 8, "batch": 100}, {"clients": 32, "batch": 100},
                {"clients": 64, "batch": 100}, {"clients": 8, "batch": 500}]
QUEUE_SETTINGS = [{"processes": 1, "concurrency": 24, "localQueue": 500},
                  {"processes": 2, "concurrency": 24, "localQueue": 500},
                  {"processes": 2, "concurrency": 10, "localQueue": 1000},
                  {"processes": 2, "concurrency": 24, "localQueue": 2000}]
QUEUE_LATENCY_SETTINGS = {"with batches": {"concurrency": 24, "localQueue": 500},
                          "without local queue": {"concurrency": 24, "localQueue": -1}}

SMOKE = {"floor_seconds": 0.1, "load_seconds": 0.3, "rounds": 10, "finished_jobs": 1_000,
         "ready_jobs": 1_000, "held_seconds": 2, "held_interval": 1, "queue_jobs": 1_000,
         "executions": 1_000, "workspaces": 10, "competitors": 5, "competing": 100,
         "holders": 10, "blocked_few": 20, "blocked_many": 1_000, "temporal_starts": 100,
         "temporal_turns": 1}
QUICK = {"floor_seconds": 1, "load_seconds": 2.5, "rounds": 200, "finished_jobs": 1_000_000,
         "ready_jobs": 100_000, "held_seconds": 25, "held_interval": 5, "queue_jobs": 20_000,
         "executions": 20_000, "workspaces": 1_000, "competitors": 20, "competing": 500,
         "holders": 100, "blocked_few": 1_000, "blocked_many": 100_000, "temporal_starts": 2_000,
         "temporal_turns": 2}
FULL = {"floor_seconds": 4, "load_seconds": 10, "rounds": 1000, "finished_jobs": 10_000_000,
        "ready_jobs": 1_000_000, "held_seconds": 600, "held_interval": 30, "queue_jobs": 200_000,
        "executions": 100_000, "workspaces": 1_000, "competitors": 100, "competing": 500,
        "holders": 500, "blocked_few": 1_000, "blocked_many": 1_000_000, "temporal_starts": 10_000,
        "temporal_turns": 3}


class PostgresBench(executions.ExecutionParts, blocked.BlockedParts, temporal.TemporalParts,
                    bench.Bench):
    """Any number of servers on one database, young and old."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.peer = None

    def run(self, parts):
        # What may be missing is asked for first, not after half an hour.
        if "snapshot" in parts:
            self.check_disk()
        if "queue" in parts:
            self.peer = graphile.GraphileWorker(self.directory)
        return super().run(parts)

    def serve_all(self, stack, target, replicas):
        return [stack.enter_context(self.serve(target)) for _ in range(replicas)]

    def measure_replicas(self):
        self.result["steps"] = {
            f"{replicas} {mode} {clients}": self.rate(replicas, clients, batch_size)
            for replicas in (1, 2)
            for mode, batch_size in bench.BATCH_SIZES.items()
            for clients in bench.CLIENTS}

    def rate(self, replicas, clients, batch_size):
        """Steps per second, and what a step costs the database."""
        with self.database("rates") as (target, _):
            with contextlib.ExitStack() as stack:
                servers = self.serve_all(stack, target, replicas)
                commits, wal = self.store.commits("rates"), self.store.wal_bytes()
                answer = self.load("steps", servers, "--clients", clients, "--batch", batch_size,
                                   "--seconds", self.extent["load_seconds"])
                steps = max(answer["total"], 1)
                answer["walBytes"] = (self.store.wal_bytes() - wal) / steps
            answer["commits"] = (self.store.commits("rates") - commits) / steps
        return answer

    def measure_latency(self):
        with self.database("latency") as (target, _), contextlib.ExitStack() as stack:
            servers = self.serve_all(stack, target, 2)
            self.result["latency"] = {"same": self.idle_latency(servers[:1]),
                                      "across": self.idle_latency(servers)}
            self.result["sequence"] = self.ten_steps(servers[0])

    def measure_claims(self):
        names = ["empty", "finished", "other_types", "same_type"]
        with contextlib.ExitStack() as stack:
            servers = []
            for name in names:
                target, _ = stack.enter_context(self.database(name))
                servers.append(stack.enter_context(self.serve(target)))
                getattr(self, "fill_" + name)(servers[-1])
                self.store.settle(name)
            answers = self.load("claims", servers, "--job-type", CLAIMED_TYPE, "--rounds",
                                self.extent["rounds"], "--batch", bench.CLAIM_BATCH)
        self.result["claims"] = {"finishedJobs": self.extent["finished_jobs"],
                                 "readyJobs": self.extent["ready_jobs"],
                                 **dict(zip(names, answers))}

    def fill_empty(self, _):
        pass

    def fill_finished(self, server):
        self.load("sequence", [server], "--rounds", 1)
        self.store.add_finished_jobs(
            "finished", self.extent["finished_jobs"] // STEPS_PER_FINISHED_INSTANCE)

    def fill_other_types(self, server):
        for number in range(OTHER_TYPES):
            self.start(server, f"other_{number}", self.extent["ready_jobs"] // OTHER_TYPES)

    def fill_same_type(self, server):
        self.start(server, CLAIMED_TYPE, self.extent["ready_jobs"])

    def start(self, server, job_type, count):
        return self.load("starts", [server], "--job-type", job_type, "--count", count, *FILL)

    def measure_snapshot(self):
        self.result["snapshot"] = {"free": self.long_load(is_held=False),
                                   "held": self.long_load(is_held=True)}

    def check_disk(self):
        needed = (self.extent["held_seconds"] * SNAPSHOT_STEPS_PER_SECOND_MAX
                  * SNAPSHOT_BYTES_PER_STEP)
        free = shutil.disk_usage(self.store.data).free
        if free < needed:
            sys.exit(f"run_postgres.py: {self.store.data} has {free / 1e9:.0f} GB free, and the"
                     f" part snapshot may need {needed / 1e9:.0f}: use another TMPDIR, or --only")

    def long_load(self, is_held):
        with self.database("aging") as (target, _), contextlib.ExitStack() as stack:
            server = stack.enter_context(self.serve(target))
            pid = stack.enter_context(self.store.held_snapshot("aging")) if is_held else None
            answer = self.load("steps", [server], *SNAPSHOT_LOAD,
                               "--seconds", self.extent["held_seconds"],
                               "--interval", self.extent["held_interval"])
            answer["interval"] = self.extent["held_interval"]
            if is_held:
                answer["transactionsHeldBack"] = self.store.transactions_held_back(pid)
            answer["deadRows"] = self.store.dead_rows("aging")
            answer["sizeBytes"] = self.store.size_bytes("aging") / max(answer["total"], 1)
        return answer

    def measure_queue(self):
        jobs = self.extent["queue_jobs"]
        ours, theirs = [], []
        # In turn, so that what disturbs the machine disturbs both alike.
        for our_setting, their_setting in zip(OUR_SETTINGS, QUEUE_SETTINGS):
            ours.append(self.burn_down(our_setting, jobs))
            theirs.append(self.burn_down_queue(their_setting, jobs))
        self.result["queue"] = {
            "jobs": jobs, "version": self.peer.version, "node": self.peer.node_version,
            "ours": ours, "theirs": theirs,
            "latency": {name: self.queue_latency(setting)
                        for name, setting in QUEUE_LATENCY_SETTINGS.items()}}

    def burn_down(self, setting, jobs):
        with self.database("burn") as (target, _), self.serve(target) as server:
            return self.timed_burn_down(
                setting, jobs, [server],
                lambda: self.start(server, "burn", jobs),
                lambda: self.load("burn_down", [server], "--job-type", "burn", "--count", jobs,
                                  "--clients", setting["clients"], "--batch", setting["batch"]))

    def burn_down_queue(self, setting, jobs):
        with self.database("burn") as (target, _):
            return self.timed_burn_down(
                setting, jobs, [],
                lambda: self.peer.call("fill", target, count=jobs),
                lambda: self.peer.call("burn_down", target, count=jobs, **setting))

    def timed_burn_down(self, setting, jobs, servers, fill, burn):
        """The rates of both, and what a job costs from its start to its end."""
        cpu, wal = self.cpu_seconds(servers), self.store.wal_bytes()
        filled = fill()
        self.store.settle("burn")
        burned = burn()
        return {"setting": setting, "perSecond": burned["perSecond"],
                "startsPerSecond": filled["perSecond"],
                "walBytes": (self.store.wal_bytes() - wal) / jobs,
                "cpuMicroseconds": self.cpu_microseconds_since(cpu, servers, jobs)}

    def queue_latency(self, setting):
        with self.database("latency") as (target, _):
            return self.peer.call("latency", target, rounds=self.extent["rounds"], **setting)


def main():
    parser = bench.make_parser(__doc__.split("\n\n")[1], PARTS)
    parser.add_argument("--smoke", action="store_true")
    arguments = bench.parse(parser, PARTS)
    url = os.environ.get("MILLRACE_TEST_POSTGRES")
    if not url:
        sys.exit("run_postgres.py: there is no PostgreSQL: use tools/with_postgres.py")
    extent = "smoke" if arguments.smoke else "quick" if arguments.quick else "full"
    extents = {"smoke": SMOKE, "quick": QUICK, "full": FULL}

    run = report.describe_machine(bench.ROOT, extent)
    store = stores.PostgresStore(url)
    run["database"] = store.settings()
    with bench.scratch_directory(arguments.build) as directory:
        measured = PostgresBench(store, arguments.build.resolve(), extents[extent], directory)
        run["result"] = measured.run(arguments.only)
    bench.publish(run, report_postgres.render(run), arguments.save, "-postgres")


if __name__ == "__main__":
    main()
