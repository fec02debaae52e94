#!/usr/bin/env python3
"""Measures the server against the floor of its databases, and prints numbers and ratios.

Usage: run.py [--build DIRECTORY] [--quick] [--store NAME] [--only PART,…] [--save]

Run it beside a PostgreSQL: `make bench`, or tools/with_postgres.py bench/run.py. Everything it
starts listens on loopback, on free ports, and ends with it.

--build   where the programs are (build/release)
--quick   about two minutes instead of eight: good for a look, not for a record
--store   sqlite or postgres (both)
--only    some of floor, start, latency, steps, starts, grpc, memory, claims
--save    also writes bench/results/<date>-<commit>.json and .md
"""

import contextlib
import os
import statistics
import sys

import bench
import report
import stores

PARTS = ["floor", "start", "latency", "steps", "starts", "grpc", "memory", "claims"]
WAITING_INSTANCES = 100_000

QUICK = {"floor_seconds": 1, "load_seconds": 2.5, "rounds": 200, "starts": 3}
FULL = {"floor_seconds": 4, "load_seconds": 10, "rounds": 1000, "starts": 10}


class StoreBench(bench.Bench):
    """What one server costs on top of its store."""

    def measure_start(self):
        with self.database("start") as (target, _):
            with self.serve(target) as server:
                self.result["firstStartMs"] = server.milliseconds_to_ready
            times = []
            for _ in range(self.extent["starts"]):
                with self.serve(target) as server:
                    times.append(server.milliseconds_to_ready)
            self.result["coldStartMs"] = statistics.median(times)

    def measure_latency(self):
        with self.database("latency") as (target, _), self.serve(target) as server:
            self.result["latency"] = self.idle_latency([server])
            self.result["sequence"] = self.ten_steps(server)

    def measure_steps(self):
        self.result["steps"] = self.measure_rates("steps")

    def measure_starts(self):
        self.result["starts"] = self.measure_rates("starts")

    def measure_rates(self, scenario):
        rates = {}
        for mode, batch_size in bench.BATCH_SIZES.items():
            for clients in bench.CLIENTS:
                with self.database("rates") as (target, _), self.serve(target) as server:
                    rates[f"{mode} {clients}"] = self.load(
                        scenario, [server], "--clients", clients, "--batch", batch_size,
                        "--seconds", self.extent["load_seconds"])
        return rates

    def measure_grpc(self):
        """Single calls over REST and over gRPC, in turn, so that both meet the same minutes."""
        rates = {}
        for clients in bench.CLIENTS:
            for scenario, protocol in (("steps", "REST"), ("grpc_steps", "gRPC"), ("grpc_floor", "gRPC, empty calls")):
                with self.database("grpc") as (target, _), self.serve(target) as server:
                    rates[f"{protocol} {clients}"] = self.load(
                        scenario, [server], "--clients", clients, "--batch", 1,
                        "--grpc-port", server.grpc_port, "--seconds", self.extent["load_seconds"])
        self.result["grpc"] = rates

    def measure_memory(self):
        with self.database("memory") as (target, _), self.serve(target) as server:
            self.result["idleMegabytes"] = server.resident_megabytes()
            self.load("starts", [server], "--clients", 2, "--batch", 500,
                      "--count", WAITING_INSTANCES)
            self.result["waitingMegabytes"] = server.resident_megabytes()

    def measure_claims(self):
        with contextlib.ExitStack() as stack:
            servers = []
            for name in ("few_jobs", "many_jobs"):
                target, _ = stack.enter_context(self.database(name))
                with self.serve(target):
                    pass  # Now it has its tables.
                if name == "many_jobs":
                    self.store.add_other_jobs(name)
                servers.append(stack.enter_context(self.serve(target)))
            few, many = self.load("claims", servers, "--rounds", self.extent["rounds"],
                                  "--batch", bench.CLAIM_BATCH)
            self.result["claims"] = {"empty": few, "million": many}


def make_stores(arguments, directory):
    chosen = []
    if arguments.store in (None, "sqlite"):
        chosen.append(stores.SqliteStore(directory))
    url = os.environ.get("MILLRACE_TEST_POSTGRES")
    if arguments.store in (None, "postgres"):
        if not url:
            sys.exit("run.py: there is no PostgreSQL: use tools/with_postgres.py, or --store sqlite")
        chosen.append(stores.PostgresStore(url))
    return chosen


def main():
    parser = bench.make_parser(__doc__.split("\n\n")[1], PARTS)
    parser.add_argument("--store", choices=["sqlite", "postgres"])
    arguments = bench.parse(parser, PARTS)
    run = report.describe_machine(bench.ROOT, "quick" if arguments.quick else "full")
    run["stores"] = {}
    with bench.scratch_directory(arguments.build) as directory:
        for store in make_stores(arguments, directory):
            measured = StoreBench(store, arguments.build.resolve(),
                                  QUICK if arguments.quick else FULL, directory)
            run["stores"][store.title] = measured.run(arguments.only)
    bench.publish(run, report.render(run), arguments.save)


if __name__ == "__main__":
    main()
