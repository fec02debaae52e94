#!/usr/bin/env python3
"""Builds grpcurl, a command line for gRPC, once, and keeps it in the cache directory. Guides and tests use it.

Usage: grpcurl_program.py

Prints its path. What is there is not built again and needs no network.
"""

from cached_programs import print_paths
from go_programs import GoProgram

MODULE = "github.com/fullstorydev/grpcurl/cmd/grpcurl"
VERSION = "v1.9.3"


def grpcurl():
    return GoProgram(f"grpcurl/{VERSION}/grpcurl", module=f"{MODULE}@{VERSION}")


if __name__ == "__main__":
    print_paths("grpcurl_program.py", lambda: [grpcurl().built()])
