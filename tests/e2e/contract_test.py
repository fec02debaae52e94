#!/usr/bin/env python3
"""The REST contract as a client sees it: routes, status codes, keys, texts, limits and waiting.

Usage: contract_test.py PROGRAM sqlite|postgres [unittest arguments]
"""

import os
import sys

from contract_audit import AuditTest
from contract_case import run_beside
from contract_definitions import DefinitionsTest
from contract_events import EventsTest
from contract_explain import ExplainTest
from contract_expressions import ExpressionFailuresTest
from contract_idempotency import IdempotencyTest, UserTaskIdempotencyTest
from contract_instances import InstancesTest, PeopleAndSignalsTest
from contract_jobs import JobsTest
from contract_limits import LimitsTest, OddValuesTest, WorkspacesTest
from contract_lists import CursorsTest, InstanceFiltersTest, JobQueriesTest, VersionsTest
from contract_metrics import MetricsTest
from contract_operations import (
    BulkCancelTest, RetryPolicyTest, RetryTest, SuspendTest, TimeoutTest, VariablesTest)
from contract_polling import PollingTest
from contract_queue import DeadLettersTest, ExecutionsTest, QueueWorkspacesTest
from contract_transport import TransportTest
from contract_user_tasks import UserTasksTest
from server import PostgresStore, Server, SqliteStore

__all__ = [
    "AuditTest", "BulkCancelTest", "CursorsTest", "DeadLettersTest", "DefinitionsTest",
    "EventsTest", "ExecutionsTest", "ExplainTest", "ExpressionFailuresTest", "IdempotencyTest",
    "InstanceFiltersTest", "InstancesTest", "JobQueriesTest", "JobsTest", "LimitsTest",
    "MetricsTest", "OddValuesTest", "PeopleAndSignalsTest", "PollingTest", "QueueWorkspacesTest",
    "RetryPolicyTest", "RetryTest", "SuspendTest", "TimeoutTest", "TransportTest",
    "UserTaskIdempotencyTest", "UserTasksTest", "VariablesTest", "VersionsTest", "WorkspacesTest"]


def main():
    program = os.path.abspath(sys.argv.pop(1))
    store = {"sqlite": SqliteStore, "postgres": PostgresStore}[sys.argv.pop(1)]()
    return run_beside(Server(program, store), store)


if __name__ == "__main__":
    sys.exit(main())
