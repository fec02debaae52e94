#!/usr/bin/env python3
"""Measures what a good tenant suffers beside a hostile one.

Usage: run_neighbours.py [--build DIRECTORY] [--quick] [--store NAME] [--only ATTACK,…]

Run it beside a PostgreSQL: `make bench-neighbours`. The good tenant starts instances at a fixed rate,
whatever the answers do (open loop): a call is as late as its answer comes after the moment at which it
was due. A process of its own completes their jobs. First alone, then beside each attack of
bench/attacks.py. The good tenant's p99 may become three times that of alone, or 50 ms; no call may fail.

--quick   five seconds for each attack instead of twenty
--store   sqlite or postgres (both)
--only    some of the attacks
"""

import concurrent.futures
import contextlib
import http.client
import multiprocessing
import os
import statistics
import sys
import time

import attacks
import bench
import rest
import stores

RATE = 20  # Starts a second: far below what the server can do, so that only others make it slow.
CALLERS = 32
JOB_TYPE = "good_work"
GOOD = {"id": "good", "name": "Good", "steps": [
    {"id": "work", "name": "Work", "type": "SERVICE_TASK", "jobType": JOB_TYPE, "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]}
SLOWER_MAX = 3
MILLISECONDS_MAX = 50
FAILURES = (RuntimeError, OSError, http.client.HTTPException)


def work(port, is_over):
    """Completes the good tenant's jobs until it is over."""
    client = rest.Client(port)
    while not is_over.is_set():
        try:
            jobs = client.call("POST", "/v1/jobs/poll", {
                "workerId": "good", "jobTypes": [JOB_TYPE], "maxJobs": 50, "waitSeconds": 1})["jobs"]
            for job in jobs:
                client.call("POST", f"/v1/jobs/{job['id']}/complete", {"workerId": "good"})
        except FAILURES:
            client.local.connection = None


class GoodTenant:
    def __init__(self, port):
        self.client = rest.Client(port)

    def start(self, due):
        """One call; how late its answer was, or nothing when it failed."""
        time.sleep(max(0, due - time.monotonic()))
        try:
            self.client.call("POST", "/v1/instances", {"definitionId": "good"})
        except FAILURES as failure:
            print(f"    a call failed: {failure}", file=sys.stderr)
            self.client.local.connection = None
            return None
        return (time.monotonic() - due) * 1000

    def run(self, seconds):
        begin = time.monotonic() + 0.1
        dues = [begin + n / RATE for n in range(round(seconds * RATE))]
        with concurrent.futures.ThreadPoolExecutor(CALLERS) as pool:
            late = list(pool.map(self.start, dues))
        answered = sorted(each for each in late if each is not None)
        return {"failed": len(late) - len(answered),
                "p50": statistics.median(answered) if answered else float("inf"),
                "p99": answered[int(len(answered) * 0.99)] if answered else float("inf")}


@contextlib.contextmanager
def process(target, *arguments):
    is_over = multiprocessing.Event()
    child = multiprocessing.Process(target=target, args=(*arguments, is_over), daemon=True)
    child.start()
    try:
        yield
    finally:
        is_over.set()
        child.join(5)
        if child.is_alive():
            child.kill()


class NeighbourBench(bench.Bench):
    def measure(self, attack):
        with self.database("neighbours") as (target, _), self.serve(target) as server:
            rest.Client(server.port).call("POST", "/v1/definitions", GOOD)
            tenant = GoodTenant(server.port)
            with process(work, server.port):
                tenant.run(1)  # Connections and caches are warm.
                alone = tenant.run(self.extent["seconds"])
                with process(attacks.ATTACKS[attack], server.port):
                    beside = tenant.run(self.extent["seconds"])
            memory = server.peak_megabytes()
        return alone, beside, memory


def verdict(alone, beside):
    allowed = max(SLOWER_MAX * alone["p99"], MILLISECONDS_MAX)
    return "good" if beside["failed"] == 0 and beside["p99"] <= allowed else "**too slow**"


def row(store, attack, alone, beside, memory):
    return (f"| {store} | {attack} | {alone['p50']:.1f} / {alone['p99']:.1f} |"
            f" {beside['p50']:.1f} / {beside['p99']:.1f} | {beside['failed']} | {memory:.0f} |"
            f" {verdict(alone, beside)} |")


def main():
    names = list(attacks.ATTACKS)
    parser = bench.make_parser(__doc__.split("\n\n")[1].removeprefix("Usage: "), names)
    parser.add_argument("--store", choices=["sqlite", "postgres"])
    arguments = bench.parse(parser, names)
    extent = {"seconds": 5 if arguments.quick else 20}
    print("| store | attack | alone, ms p50 / p99 | beside it | failed | server's peak, MB | |")
    print("|---|---|---|---|---|---|---|", flush=True)
    with bench.scratch_directory(arguments.build) as directory:
        known = {"sqlite": lambda: stores.SqliteStore(directory),
                 "postgres": lambda: stores.PostgresStore(os.environ["MILLRACE_TEST_POSTGRES"])}
        for name in [arguments.store] if arguments.store else known:
            store = known[name]()
            for attack in arguments.only:
                run = NeighbourBench(store, arguments.build, extent, directory)
                print(row(store.title, attack, *run.measure(attack)), flush=True)


if __name__ == "__main__":
    main()
