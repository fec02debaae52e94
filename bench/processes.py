"""Starts servers on free ports and tells what processes cost."""

import os
import pathlib
import signal
import socket
import subprocess
import time

READY_SECONDS_MAX = 60
STOP_SECONDS_MAX = 30
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cpu_seconds(pid):
    """User and system time of a process, and of those of its children that have ended."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return sum(int(field) for field in fields[11:15]) / TICKS_PER_SECOND


def children(pid):
    found = []
    for path in pathlib.Path(f"/proc/{pid}/task/{pid}").glob("children"):
        found += [int(each) for each in path.read_text().split()]
    return found


def cpu_seconds_of_tree(pid):
    total = cpu_seconds(pid)
    for child in children(pid):
        try:
            total += cpu_seconds(child)
        except OSError:
            continue  # It ended just now: its parent has its time.
    return total


class Server:
    """A `millrace serve` of our own, from with to the end of the block."""

    def __init__(self, program, store, log, *arguments):
        self.port = free_port()
        self.grpc_port = free_port()
        self.metrics_port = free_port()
        self.command = [program, "serve", "--store", store, "--rest-port", str(self.port),
                        "--grpc-port", str(self.grpc_port), "--metrics-port", str(self.metrics_port),
                        "--log-level", "warn", *arguments]
        self.log = log
        self.process = None
        self.milliseconds_to_ready = None

    def __enter__(self):
        began = time.monotonic()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > began + READY_SECONDS_MAX:
                self.__exit__()
                raise RuntimeError("the server does not start:\n" + self.log.read_text())
            time.sleep(0.0005)
        self.milliseconds_to_ready = (time.monotonic() - began) * 1000
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def is_ready(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                                   b"Connection: close\r\n\r\n")
                return b" 200 " in connection.recv(64)
        except OSError:
            return False

    def resident_megabytes(self):
        return self.memory_megabytes("VmRSS")

    def peak_megabytes(self):
        return self.memory_megabytes("VmHWM")

    def memory_megabytes(self, name):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) / 1024
        raise RuntimeError("the server has ended")
