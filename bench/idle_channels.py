#!/usr/bin/env python3
"""Measures what idle gRPC connections cost the server.

Usage: idle_channels.py [--build DIRECTORY] [--channels N]

Opens N connections that speak HTTP/2 and call nothing, and prints the server's resident memory before and
after, and how long a call over one more connection takes meanwhile.
"""

import argparse
import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import time

import processes

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
SETTINGS_SEEN = b"\x00\x00\x00\x04\x01\x00\x00\x00\x00"
SPARE_FILES = 1000


def open_channel(port):
    connection = socket.create_connection(("127.0.0.1", port), 10)
    connection.sendall(PREFACE + SETTINGS)
    connection.recv(4096)  # Its settings: the transport is there.
    connection.sendall(SETTINGS_SEEN)
    return connection


def wait_for(port):
    """REST is ready some milliseconds before gRPC listens."""
    deadline = time.monotonic() + processes.READY_SECONDS_MAX
    while True:
        try:
            return open_channel(port).close()
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--channels", type=int, default=10_000)
    arguments = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < arguments.channels + SPARE_FILES:
        sys.exit(f"idle_channels.py: {most} files may be open here, too few for {arguments.channels} channels")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as directory:
        store = f"sqlite:{directory}/millrace.db"
        with processes.Server(arguments.build / "millrace", store, pathlib.Path(directory) / "log") as server:
            wait_for(server.grpc_port)
            before = server.resident_megabytes()
            began = time.monotonic()
            channels = [open_channel(server.grpc_port) for _ in range(arguments.channels)]
            seconds = time.monotonic() - began
            after = server.resident_megabytes()
            called = time.monotonic()
            subprocess.run(["curl", "-sf", f"http://127.0.0.1:{server.port}/readyz"], check=True,
                           stdout=subprocess.DEVNULL)
            called = time.monotonic() - called
            for channel in channels:
                channel.close()
    print(f"{arguments.channels:,} idle channels, opened in {seconds:.1f} s: {before:.1f} MB before, {after:.1f} MB with "
          f"them, {(after - before) * 1024 / arguments.channels:.1f} KB each; /readyz meanwhile {called * 1000:.0f} ms")


if __name__ == "__main__":
    main()
