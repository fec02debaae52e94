#!/usr/bin/env python3
"""The REST contract as a client sees it: routes, status codes, keys, texts, limits and waiting.

Usage: contract_test.py PROGRAM sqlite|postgres [unittest arguments]
"""

import os
import sys
import unittest

from contract_case import ContractTestCase
from contract_definitions import DefinitionsTest
from contract_instances import InstancesTest, PeopleAndSignalsTest
from contract_jobs import JobsTest
from contract_metrics import MetricsTest
from contract_polling import PollingTest
from contract_transport import TransportTest
from server import PostgresStore, Server, SqliteStore

__all__ = [
    "DefinitionsTest", "InstancesTest", "JobsTest", "MetricsTest", "PeopleAndSignalsTest",
    "PollingTest", "TransportTest"]


def main():
    program = os.path.abspath(sys.argv.pop(1))
    store = {"sqlite": SqliteStore, "postgres": PostgresStore}[sys.argv.pop(1)]()
    server = Server(program, store)
    try:
        ContractTestCase.server = server.start()
        is_passed = unittest.main(exit=False).result.wasSuccessful()
        exit_code = server.stop()
    finally:
        server.discard()
        store.remove()
    if exit_code != 0:
        sys.exit(f"The server stopped with exit code {exit_code}.")
    return 0 if is_passed else 1


if __name__ == "__main__":
    sys.exit(main())
