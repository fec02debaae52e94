#!/usr/bin/env python3
"""Measures the server against the floor of its databases, and prints numbers and ratios.

Usage: run.py [--build DIRECTORY] [--quick] [--store NAME] [--only PART,…] [--save]

Run it beside a PostgreSQL: `make bench`, or tools/with_postgres.py bench/run.py. Everything it
starts listens on loopback, on free ports, and ends with it.

--build   where the programs are (build/release)
--quick   about two minutes instead of eight: good for a look, not for a record
--store   sqlite or postgres (both)
--only    some of floor, start, latency, steps, starts, memory, claims
--save    also writes bench/results/<date>-<commit>.json and .md
"""

import argparse
import contextlib
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import processes
import report
import stores

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ["floor", "start", "latency", "steps", "starts", "memory", "claims"]
CLIENTS = [1, 8, 64]
BATCH_SIZES = {"single": 1, "batch": 100}
WAITING_INSTANCES = 100_000
CLAIM_BATCH = 10

QUICK = {"floor_seconds": 1, "load_seconds": 2.5, "rounds": 200, "starts": 3}
FULL = {"floor_seconds": 4, "load_seconds": 10, "rounds": 1000, "starts": 10}


class Bench:
    """All measurements on one store."""

    def __init__(self, store, build, extent, directory):
        self.store = store
        self.build = build
        self.extent = extent
        self.log = directory / "server.log"
        self.result = {}

    def run(self, parts):
        self.result["floors"] = []
        for part in parts:
            print(f"  {self.store.title}: {part}", file=sys.stderr, flush=True)
            getattr(self, "measure_" + part)()
        if "floor" in parts:
            # Once more: a shared disk has good and bad minutes, and the best is the floor.
            self.measure_floor()
            self.result["floor"] = {size: max(each[size] for each in self.result["floors"])
                                    for size in self.result["floors"][0]}
        return self.result

    @contextlib.contextmanager
    def database(self, name):
        try:
            yield self.store.make(name)
        finally:
            self.store.drop(name)

    def serve(self, target):
        return processes.Server(self.build / "millrace", target, self.log)

    def load(self, scenario, servers, *arguments):
        """What the driver answers, with the processor time it took if there was one server."""
        command = [self.build / "bench/load/millrace_load", scenario]
        for server in servers:
            command += ["--port", str(server.port)]
        before = self.cpu_seconds(servers[0])
        done = subprocess.run([*command, *map(str, arguments)], check=True, text=True,
                              stdout=subprocess.PIPE)
        after = self.cpu_seconds(servers[0])
        answer = json.loads(done.stdout)
        if "perSecond" in answer and answer["count"]:
            answer["cpuMicroseconds"] = {
                who: round((after[who] - before[who]) / answer["count"] * 1e6, 1) for who in after}
        return answer

    def cpu_seconds(self, server):
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return {"server": processes.cpu_seconds(server.process.pid),
                "database": self.store.cpu_seconds(),
                "driver": ended.ru_utime + ended.ru_stime}

    def measure_floor(self):
        with self.database("floor") as (_, argument):
            done = subprocess.run(
                [self.build / "bench/floor/millrace_floor", *argument,
                 "--seconds", str(self.extent["floor_seconds"])],
                check=True, text=True, stdout=subprocess.PIPE)
        self.result["floors"].append(json.loads(done.stdout))

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
        rounds = self.extent["rounds"]
        with self.database("latency") as (target, _), self.serve(target) as server:
            self.result["latency"] = self.load("latency", [server], "--rounds", rounds)
            self.result["sequence"] = self.load("sequence", [server], "--rounds", rounds // 10)

    def measure_steps(self):
        self.result["steps"] = self.measure_rates("steps")

    def measure_starts(self):
        self.result["starts"] = self.measure_rates("starts")

    def measure_rates(self, scenario):
        rates = {}
        for mode, batch_size in BATCH_SIZES.items():
            for clients in CLIENTS:
                with self.database("rates") as (target, _), self.serve(target) as server:
                    rates[f"{mode} {clients}"] = self.load(
                        scenario, [server], "--clients", clients, "--batch", batch_size,
                        "--seconds", self.extent["load_seconds"])
        return rates

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
                                  "--batch", CLAIM_BATCH)
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


def parse_arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--store", choices=["sqlite", "postgres"])
    parser.add_argument("--only", type=lambda text: text.split(","), default=PARTS)
    parser.add_argument("--save", action="store_true")
    arguments = parser.parse_args()
    unknown = set(arguments.only) - set(PARTS)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    return arguments


def main():
    arguments = parse_arguments()
    # Beside the programs, not in /tmp, which may be memory: a floor needs a disk under it.
    directory = pathlib.Path(tempfile.mkdtemp(prefix="bench-", dir=arguments.build))
    try:
        run = report.describe_machine(ROOT, "quick" if arguments.quick else "full")
        run["stores"] = {}
        for store in make_stores(arguments, directory):
            bench = Bench(store, arguments.build.resolve(), QUICK if arguments.quick else FULL,
                          directory)
            run["stores"][store.title] = bench.run(arguments.only)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    text = report.render(run)
    print(text)
    if arguments.save:
        report.save(run, text, ROOT / "bench/results")


if __name__ == "__main__":
    main()
