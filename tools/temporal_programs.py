#!/usr/bin/env python3
"""Builds the programs that tests of the Temporal side run, once, and keeps them in the cache directory.

Usage: temporal_programs.py

Prints the path of each program: Temporal's command line, which contains a server, our worker, and our
proxy. What is there is not built again and needs no network; two builds at once wait for each other.
"""

from cached_programs import ROOT, Failed, content_of, print_paths  # pylint: disable=unused-import
from go_programs import GoProgram, build

# The last one that `go install` can build: the modules of later ones replace others.
SERVER_MODULE = "github.com/temporalio/cli/cmd/temporal"
SERVER_VERSION = "v1.5.1"


def server():
    return GoProgram(f"temporal/server-{SERVER_VERSION}/temporal",
                     module=f"{SERVER_MODULE}@{SERVER_VERSION}")


def worker():
    return ours("worker")


def proxy():
    return ours("proxy")


def ours(name):
    """A program of tests/temporal, kept under what its files say."""
    folder = ROOT / "tests/temporal" / name
    return GoProgram(f"temporal/{name}-{content_of(folder)}/{name}", folder=folder)


def paths():
    programs = [server(), worker(), proxy()]
    build(programs)
    return [program.path for program in programs]


if __name__ == "__main__":
    print_paths("temporal_programs.py", paths)
