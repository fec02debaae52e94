"""What every run shares: new databases, servers, the driver, the floor, and the command line."""

import argparse
import contextlib
import json
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

import processes
import report

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLIENTS = [1, 8, 64]
BATCH_SIZES = {"single": 1, "batch": 100}
CLAIM_BATCH = 10


class Bench:
    """The measurements on one store: a part `x` is the method `measure_x`."""

    def __init__(self, store, build, extent, directory):
        self.store = store
        self.build = build
        self.extent = extent
        self.directory = directory
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

    def serve(self, target, *arguments):
        return processes.Server(self.build / "millrace", target, self.log, *arguments)

    def load(self, scenario, servers, *arguments):
        """What the driver answers, with the processor time of each of all that it did."""
        command = [self.build / "bench/load/millrace_load", scenario]
        for server in servers:
            command += ["--port", str(server.port)]
        before = self.cpu_seconds(servers)
        done = subprocess.run([*command, *map(str, arguments)], check=True, text=True,
                              stdout=subprocess.PIPE)
        answer = json.loads(done.stdout)
        if "perSecond" in answer:
            answer["cpuMicroseconds"] = self.cpu_microseconds_since(
                before, servers, max(answer.get("total", answer["count"]), 1))
        return answer

    def cpu_seconds(self, servers):
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return {"server": sum(processes.cpu_seconds(each.process.pid) for each in servers),
                "database": self.store.cpu_seconds(),
                "driver": ended.ru_utime + ended.ru_stime}

    def cpu_microseconds_since(self, before, servers, count):
        after = self.cpu_seconds(servers)
        return {who: round((after[who] - before[who]) / count * 1e6, 1) for who in after}

    def measure_floor(self):
        with self.database("floor") as (_, argument):
            done = subprocess.run(
                [self.build / "bench/floor/millrace_floor", *argument,
                 "--seconds", str(self.extent["floor_seconds"])],
                check=True, text=True, stdout=subprocess.PIPE)
        self.result["floors"].append(json.loads(done.stdout))

    def idle_latency(self, servers):
        """From a start on the first of the servers to a handler that waits on the last."""
        return self.load("latency", servers, "--rounds", self.extent["rounds"])

    def ten_steps(self, server):
        return self.load("sequence", [server], "--rounds", max(self.extent["rounds"] // 10, 1))


def make_parser(usage, parts):
    parser = argparse.ArgumentParser(usage=usage)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", type=lambda text: text.split(","), default=parts)
    parser.add_argument("--save", action="store_true")
    return parser


def parse(parser, parts):
    arguments = parser.parse_args()
    unknown = set(arguments.only) - set(parts)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    return arguments


@contextlib.contextmanager
def scratch_directory(build):
    # Beside the programs, not in /tmp, which may be memory: a floor needs a disk under it.
    directory = pathlib.Path(tempfile.mkdtemp(prefix="bench-", dir=build))
    # Who is asked to end stops its servers first, as with an interrupt.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def publish(run, text, is_saved, suffix=""):
    print(text)
    if is_saved:
        report.save(run, text, ROOT / "bench/results", suffix)
