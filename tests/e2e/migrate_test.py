#!/usr/bin/env python3
"""`millrace migrate`, servers that do not migrate, and stores of other versions.

Usage: migrate_test.py PROGRAM [unittest arguments]
"""

import json
import os
import sqlite3
import subprocess
import sys
import threading
import unittest

from cli_case import CliTestCase
from client import PATIENCE_SECONDS
from server import PostgresStore, ServerTestCase, SqliteStore

PENDING = 4


class Steps:
    """The tests; the classes below say on which store."""

    store_kind = None

    def setUp(self):
        super().setUp()
        self.store = self.new_store(self.store_kind)
        self.environment = {"MILLRACE_STORE": self.store.url}

    def states(self, *command, expect=0):
        document = self.millrace_json("migrate", *command, expect=expect)
        return [each["state"] for each in document["migrations"]]

    def serve(self, *options):
        """The log and exit code of a server that must not start."""
        done = subprocess.run(
            [self.program, "serve", "--rest-port", "0", "--grpc-port", "0", "--metrics-port", "0",
             *options],
            capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS,
            env=self.all_variables(), cwd=self.directory)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def migrate(self):
        self.assertEqual(set(self.states("up")), {"APPLIED"})

    def test_up_applies_and_says_so_and_again_does_nothing(self):
        first = self.millrace("migrate", "up")
        self.assertIn("applied 0001_engine\n", first.stderr)
        self.assertRegex(first.stdout, r"0001_engine +APPLIED +\d{4}-")
        self.assertEqual(self.millrace("migrate", "up").stderr, "")
        self.assertEqual(set(self.states("status")), {"APPLIED"})

    def test_two_at_once(self):
        results = []
        threads = [threading.Thread(
            target=lambda: results.append(subprocess.run(
                [self.program, "migrate", "up"], capture_output=True, text=True, check=False,
                timeout=PATIENCE_SECONDS, env=self.all_variables())))
            for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.check_results([each.returncode for each in results])
        self.assertEqual(set(self.states("status")), {"APPLIED"})

    def test_a_server_that_only_checks(self):
        self.migrate()
        server = self.new_server(self.store, "--migrate", "check")
        self.assertEqual(server.client().get("/readyz").status, 200)
        self.assertEqual(server.stop(), 0)
        self.forget_last()
        text = self.serve("--migrate", "check")
        self.assertIn("millrace migrate up", text)
        self.assertIn("1 of ", text)

    def test_pending_ones_are_told_by_the_exit_code(self):
        self.migrate()
        self.forget_last()
        self.assertEqual(self.states("status", expect=PENDING)[-1], "PENDING")

    def test_a_newer_schema_is_refused_with_both_versions(self):
        self.migrate()
        self.run_sql("INSERT INTO schema_migration (version, name, checksum, applied_at) "
                     f"VALUES (9001, '9001_later', 'x', {self.now})")
        self.assertIn("9001_later", self.serve())
        result = self.millrace("migrate", "status", expect=1)
        self.assertRegex(result.stdout, "9001_later +UNKNOWN")
        self.assertIn("a newer Millrace", result.stderr)
        self.millrace("migrate", "up", expect=1)

    def test_a_changed_migration_is_refused(self):
        self.migrate()
        self.run_sql("UPDATE schema_migration SET checksum = 'x' WHERE version = 1")
        self.assertIn("0001_engine", self.serve())
        self.assertRegex(self.millrace("migrate", "status", expect=1).stdout,
                         "0001_engine +CHANGED")

    def forget_last(self):
        self.run_sql("DELETE FROM schema_migration "
                     "WHERE version = (SELECT max(version) FROM schema_migration)")


class PostgresMigrateTest(Steps, CliTestCase):
    store_kind = PostgresStore
    now = "now()"

    def run_sql(self, statement):
        subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", "-c", statement, self.store.url],
                       check=True, timeout=PATIENCE_SECONDS)

    def check_results(self, codes):
        self.assertEqual(codes, [0, 0, 0])

    def test_a_new_database_has_all_pending_and_stays_as_it_is(self):
        self.assertEqual(set(self.states("status", expect=PENDING)), {"PENDING"})
        self.assertEqual(set(self.states("status", expect=PENDING)), {"PENDING"})

    def test_up_while_a_server_runs(self):
        self.new_server(self.store)
        self.migrate()

    def test_a_database_that_is_not_there(self):
        self.environment = {"MILLRACE_STORE": "postgres:///x?host=/nonexistent"}
        result = self.millrace("migrate", "status", expect=3)
        self.assertIn("No such file or directory", result.stderr)

    def test_a_lock_that_somebody_holds_is_tried_for_again(self):
        self.migrate()
        holder = subprocess.Popen(["psql", "-qXAt", self.store.url], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        with holder:
            holder.stdin.write("BEGIN; LOCK TABLE schema_migration; SELECT 'held';\n")
            holder.stdin.flush()
            self.assertEqual(holder.stdout.readline(), "held\n")
            up = subprocess.Popen([self.program, "migrate", "up"], env=self.all_variables(),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with self.assertRaises(subprocess.TimeoutExpired):
                up.wait(3)  # Beyond its first try.
            holder.stdin.close()
        self.assertEqual(up.wait(PATIENCE_SECONDS), 0)


class SqliteMigrateTest(Steps, CliTestCase):
    store_kind = SqliteStore
    now = "0"

    def run_sql(self, statement):
        with sqlite3.connect(self.store.path) as connection:
            connection.execute(statement)
        connection.close()

    def check_results(self, codes):
        self.assertIn(0, codes)  # The others may have found the file locked.

    def test_a_file_that_is_not_there_is_not_made(self):
        self.assertIn("There is no database", self.millrace("migrate", "status", expect=2).stderr)
        self.assertFalse(self.store.path.exists())

    def test_a_file_that_a_server_has(self):
        server = self.new_server(self.store)
        self.assertEqual(set(self.states("status")), {"APPLIED"})
        self.assertIn(f"process {server.pid()}", self.millrace("migrate", "up", expect=1).stderr)

    def test_the_default_is_the_store_of_the_configuration(self):
        self.environment = {}
        config = self.directory / "millrace.yaml"
        config.write_text(json.dumps({"store": self.store.url}))
        self.assertEqual(set(self.states("up", "--config", str(config))), {"APPLIED"})
        self.assertTrue(self.store.path.exists())


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
