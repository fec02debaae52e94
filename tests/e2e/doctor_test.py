#!/usr/bin/env python3
"""`millrace doctor`: provokes what it is to find, and looks at its exit codes.

Usage: doctor_test.py PROGRAM [unittest arguments]
"""

import contextlib
import os
import subprocess
import sys
import unittest

from cli_case import CliTestCase
from definitions import one_task
from postgres import Postgres
from server import ServerTestCase, SqliteStore, wait_until

WARNED = 4


class DoctorTestCase(CliTestCase):
    def findings(self, *options, expect=0):
        document = self.millrace_json("doctor", *options, expect=expect)
        return {(each["severity"], each["check"]): each for each in document["findings"]}

    def find(self, severity, check, text, *options, expect):
        """The advice of the finding that says so."""
        found = self.findings(*options, expect=expect)
        self.assertIn((severity, check), found)
        self.assertRegex(found[severity, check]["finding"], text)
        return found[severity, check].get("advice", "")


class PostgresDoctorTest(DoctorTestCase):
    @classmethod
    def setUpClass(cls):
        # What the doctor calls good, and what it needs to see soon.
        cls.database = Postgres(
            fsync="on", full_page_writes="on", autovacuum_naptime="1d", max_connections="60",
            max_prepared_transactions="5")
        cls.addClassCleanup(cls.database.stop)
        cls.database.start()

    def setUp(self):
        super().setUp()
        self.name = self._testMethodName[:60]
        self.database.query(f"CREATE DATABASE {self.name}")
        self.addCleanup(self.database.query, f"DROP DATABASE {self.name} WITH (FORCE)")
        self.url = self.database.url().replace("/postgres?", f"/{self.name}?")
        self.environment = {"MILLRACE_STORE": self.url}
        self.millrace("migrate", "up")

    def run_sql(self, *statements):
        for statement in statements:
            subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", "-c", statement, self.url],
                           check=True)

    @contextlib.contextmanager
    def session(self, text):
        holder = subprocess.Popen(["psql", "-qXAt", self.url], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        with holder:
            holder.stdin.write(text + "; SELECT 'there';\n")
            holder.stdin.flush()
            while holder.stdout.readline() != "there\n":
                pass
            yield
            holder.stdin.close()

    def test_a_sound_one(self):
        text = self.millrace("doctor").stdout
        for check in ("connection", "pooler", "schema", "indexes", "privileges", "settings",
                      "connections", "vacuum", "clock", "work"):
            self.assertRegex(text, rf"(?m)^OK +{check} ")
        self.assertNotIn("PROBLEM", text)
        self.millrace("doctor", "--strict")
        self.assertTrue(self.millrace("doctor", "--output", "yaml").stdout.startswith("---\n"))

    def test_pending_migrations(self):
        self.run_sql("DELETE FROM schema_migration WHERE version = 1")
        self.assertIn("migrate up", self.find("WARNING", "schema", "1 migrations", expect=0))
        self.millrace("doctor", "--strict", expect=WARNED)

    def test_an_empty_database(self):
        self.run_sql("SET client_min_messages = warning; DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
        self.find("WARNING", "schema", "no tables", expect=0)

    def test_a_lost_index(self):
        self.run_sql("DROP INDEX job_waiting")
        self.find("PROBLEM", "indexes", "job_waiting is missing", expect=1)

    def test_an_index_that_is_not_valid(self):
        self.run_sql("UPDATE pg_index SET indisvalid = false WHERE indexrelid = "
                     "'job_leased'::regclass")
        self.assertIn("REINDEX", self.find("PROBLEM", "indexes", "job_leased", expect=1))

    def test_settings_that_cost_data(self):
        self.run_sql(f"ALTER DATABASE {self.name} SET synchronous_commit = off")
        self.find("PROBLEM", "settings", "synchronous_commit is off", expect=1)

    def test_a_table_without_autovacuum(self):
        self.run_sql("ALTER TABLE job SET (autovacuum_enabled = off)")
        self.assertIn("RESET", self.find("WARNING", "tables", "Autovacuum is off", expect=0))

    def test_dead_rows(self):
        self.run_sql("INSERT INTO commit_mark SELECT gen_random_uuid(), i "
                     "FROM generate_series(1, 20000) AS i", "DELETE FROM commit_mark")
        wait_until(lambda: ("WARNING", "tables") in self.findings(), "the statistics")
        self.find("WARNING", "tables", "commit_mark has .* dead", expect=0)

    def test_young_transactions_are_no_worry(self):
        self.run_sql("BEGIN; INSERT INTO commit_mark VALUES (gen_random_uuid(), 1); "
                     f"PREPARE TRANSACTION '{self.name}'")
        self.addCleanup(self.run_sql, f"ROLLBACK PREPARED '{self.name}'")
        with self.session("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1"):
            found = self.findings()
        self.assertIn(("OK", "vacuum"), found)
        self.assertNotIn(("WARNING", "refused"), found)

    def test_connections_run_out(self):
        with contextlib.ExitStack() as sessions:
            for _ in range(50):
                sessions.enter_context(self.session("SELECT 1"))
            self.find("WARNING", "connections", "5[0-9] of 57", expect=0)

    def test_privileges(self):
        role = f"{self.name}_role"
        self.run_sql(f"CREATE ROLE {role} LOGIN", f"GRANT SELECT ON job TO {role}")
        self.addCleanup(self.database.query, f"DROP ROLE {role}")
        self.addCleanup(self.run_sql, f"DROP OWNED BY {role}")
        url = self.url.replace("postgres@", f"{role}@")
        found = self.findings("--store", url, expect=1)
        self.assertIn(("PROBLEM", "privileges"), found)
        self.assertIn("GRANT", found["PROBLEM", "privileges"]["advice"])

    def test_overdue_work(self):
        server = self.new_server(self)  # It has the url of a store.
        client = server.client()
        client.post("/v1/definitions", one_task("late"))
        client.post("/v1/instances", {"definitionId": "late"})
        client.post("/v1/jobs/poll", {"workerId": "w", "jobTypes": ["late"], "leaseSeconds": 600})
        self.assertEqual(server.stop(), 0)
        self.run_sql("UPDATE job SET lock_expires_at = now() - interval '1 hour'")
        self.find("WARNING", "work", "1 leases are overdue", expect=0)

    def test_servers_are_seen(self):
        self.find("INFO", "servers", "No server", expect=0)
        self.run_sql("INSERT INTO replica VALUES (gen_random_uuid(), 'a:1', '1.2', now(), now())")
        self.find("OK", "servers", r"Running: a:1 \(1.2\)", expect=0)

    def test_nobody_there(self):
        store = ("--store", "postgres:///x?host=/nonexistent")
        self.assertIn("whether it runs", self.find(
            "PROBLEM", "connection", "No such file or directory", *store, expect=1))


class SqliteDoctorTest(DoctorTestCase):
    def setUp(self):
        super().setUp()
        self.store = self.new_store(SqliteStore)
        self.environment = {"MILLRACE_STORE": self.store.url}

    def test_no_file(self):
        self.find("PROBLEM", "file", "There is no database", expect=1)
        self.assertFalse(self.store.path.exists())

    def test_a_file_in_use(self):
        server = self.new_server(self.store)
        self.find("OK", "server", f"Process {server.pid()} has the file", expect=0)

    def test_a_sound_file(self):
        self.millrace("migrate", "up")
        found = self.findings("--strict")
        for check in ("file", "schema", "integrity", "space"):
            self.assertIn(("OK", check), found)
        self.assertIn(("INFO", "server"), found)

    def test_a_damaged_file(self):
        self.millrace("migrate", "up")
        with open(self.store.path, "r+b") as file:
            file.seek(4096)  # Where a page says what it is.
            file.write(b"\x5a" * 100)
        self.millrace("doctor", expect=1)

    def test_a_file_of_something_else(self):
        self.store.path.write_text("These are no pages.\n" * 500)
        found = self.findings(expect=1)
        self.assertIn(("PROBLEM", "schema"), found)
        self.assertIn(("PROBLEM", "integrity"), found)

    def test_a_directory(self):
        self.find("PROBLEM", "file", "is a directory", "--store",
                  f"sqlite:{self.store.path.parent}", expect=1)


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
