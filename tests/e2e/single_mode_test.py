#!/usr/bin/env python3
"""dispatcher.mode single: one server at a time works off the queue, and servers and programs with
the library ShedLock exclude each other.

Usage: single_mode_test.py PROGRAM [unittest arguments]
"""

import json
import re
import signal
import subprocess
import sys
import unittest

from definitions import one_task
from lock_holder import LockHolder
from pgbouncer import free_port
from postgres import Postgres, session
from server import PostgresStore, ServerTestCase, SqliteStore, wait_until

DISPATCH = "processExecutionQueue"
RECOVERY = "recoverStaleQueueItems"
AT_LEAST_SECONDS = 10  # That nobody gets the lock of the dispatcher again.
AT_MOST_SECONDS = 240
ROUND_SECONDS = 40  # Within which a round comes, on a busy machine too.
SINGLE = ("--dispatcher-mode", "single", "--dispatcher-poll-interval", "0.2", "--log-level", "debug")


class SharedPostgres:
    """A server of its own that also listens on a port, as a store."""

    def __init__(self):
        self.port = free_port()
        self.postgres = Postgres(listen_addresses="127.0.0.1", port=str(self.port))
        self.postgres.start()
        self.url = self.postgres.url()

    def remove(self):
        self.postgres.stop()


class SingleModeTestCase(ServerTestCase):
    def prepare(self, server, slots=15):
        client = server.client()
        self.assertEqual(client.post("/v1/workspaces", {
            "id": "acme", "plan": "PRO", "maxActive": slots}).status, 201)
        self.assertEqual(client.post(
            "/v1/workspaces/acme/definitions", one_task("order")).status, 201)

    def enqueue(self, server, count=1):
        """All of them are there before a round can see one."""
        client = server.client()
        ids = []
        self.pause(client, True)
        for _ in range(count):
            reply = client.post("/v1/workspaces/acme/executions", {"definitionId": "order"})
            self.assertEqual(reply.status, 202, reply)
            ids.append(reply.json()["id"])
        self.pause(client, False)
        return ids

    def pause(self, client, is_paused):
        reply = client.call("PATCH", "/v1/workspaces/acme", {"paused": is_paused})
        self.assertEqual(reply.status, 200, reply)

    def execution(self, server, execution_id):
        return server.client().get(f"/v1/executions/{execution_id}").json()

    def wait_for_dispatch(self, server, ids, patience=ROUND_SECONDS):
        def are_dispatched():
            return all(self.execution(server, each)["queueStatus"] == "DISPATCHED" for each in ids)
        wait_until(are_dispatched, "the dispatch", patience)
        return [self.execution(server, each) for each in ids]

    def lock_failures(self, server):
        text = server.metrics_client().get("/metrics").text
        return float(re.search(r"^shedlock_acquisition_failures (\S+)$", text, re.MULTILINE)[1])

    def batches(self, *servers):
        """The sizes of batches, as logs tell."""
        lines = [each for server in servers for each in server.log_messages()]
        found = [re.fullmatch(r"Processing (\d+) queue items", each) for each in lines]
        return sorted((int(each[1]) for each in found if each), reverse=True)

    def lock_changes(self, server):
        """What the log says about the lock of the dispatcher."""
        lines = [json.loads(each) for each in list(server.log) if each.startswith("{")]
        return [each["message"] for each in lines if each.get("lock") == DISPATCH]

    def assert_ten_and_then_five(self, executions):
        times = sorted(each["dispatchedAt"] for each in executions)
        self.assertEqual(len(set(times[:10])), 1, "ten in one commit")
        self.assertEqual(len(set(times[10:])), 1, "then five")
        # The lock counts from when it was taken, and the first commit may come a moment later.
        self.assertGreaterEqual(seconds_of(times[10]) - seconds_of(times[9]), AT_LEAST_SECONDS - 1)


def seconds_of(text):
    """Of a time of the same day."""
    hours, minutes, seconds = re.search(r"T(\d+):(\d+):([\d.]+)Z", text).groups()
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


class EmbeddedTest(SingleModeTestCase):
    def test_batches_of_ten_and_silence_when_there_is_nothing(self):
        server = self.new_server(self.new_store(SqliteStore), *SINGLE)
        self.prepare(server)
        wait_until(lambda: self.lock_failures(server) > 0, "a round that came too early")
        self.assertEqual(self.batches(server), [])
        executions = self.wait_for_dispatch(server, self.enqueue(server, 15))
        self.assertEqual(self.batches(server), [10, 5])
        self.assert_ten_and_then_five(executions)
        changes = self.lock_changes(server)
        self.assertGreater(len(changes), 2)
        for before, after in zip(changes, changes[1:]):
            self.assertNotEqual(before, after, "each line tells of a change")
        self.assertEqual(server.stop(), 0)

    def test_a_lock_is_given_up_at_a_stop(self):
        store = self.new_store(SqliteStore)
        server = self.new_server(store, *SINGLE)
        self.prepare(server)
        [first] = self.enqueue(server)
        self.wait_for_dispatch(server, [first])
        self.assertEqual(server.stop(), 0)
        server.start()
        self.wait_for_dispatch(server, self.enqueue(server))
        self.assertEqual(server.stop(), 0)

    def test_a_table_that_cannot_be_used_is_told_of(self):
        for table, code, said in [("job", 1, "dispatcher.lockTable"), ("a;b", 2, "lockTable")]:
            done = subprocess.run(
                [self.program, "serve", "--rest-port", "0", "--grpc-port", "0", "--metrics-port", "0", *SINGLE,
                 "--store", self.new_store(SqliteStore).url, "--dispatcher-lock-table", table],
                capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertIn(said.lower(), (done.stdout + done.stderr).lower().replace("-", ""))


class ReplicasTest(SingleModeTestCase):
    def test_one_of_two_servers_lets_ten_in_and_then_one_of_them_five(self):
        store = self.new_store(PostgresStore)
        servers = [self.new_server(store, *SINGLE) for _ in range(2)]
        self.prepare(servers[0])
        executions = self.wait_for_dispatch(servers[1], self.enqueue(servers[0], 15))
        self.assertEqual(self.batches(*servers), [10, 5])
        self.assert_ten_and_then_five(executions)
        for server in servers:
            wait_until(lambda each=server: self.lock_failures(each) > 0, "a lock that was held")

    def test_a_round_finds_what_a_transaction_has_enqueued(self):
        store = self.new_store(PostgresStore)
        server = self.new_server(store, *SINGLE)
        self.prepare(server)
        self.wait_for_dispatch(server, self.enqueue(server))
        with session(store.url) as ask:
            key = ask("SELECT millrace_enqueue('acme', 'order', '{}', '{}')")
        self.assertTrue(key)
        wait_until(lambda: self.batches(server) == [1, 1], "the second round", ROUND_SECONDS)


class ShedLockTest(SingleModeTestCase):
    @classmethod
    def setUpClass(cls):
        cls.store = SharedPostgres()
        cls.addClassCleanup(cls.store.remove)

    def setUp(self):
        self.store.postgres.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public")

    def new_holder(self, **options):
        holder = LockHolder(self.store.port, **options)
        self.addCleanup(holder.discard)
        return holder

    def lock_row(self, name=DISPATCH, table="shedlock"):
        """How long it was taken for, how long it still is, and by whom."""
        rows = self.store.postgres.query(
            "SELECT extract(epoch FROM lock_until - locked_at), "
            "extract(epoch FROM lock_until - timezone('utc', clock_timestamp())), locked_by "
            f"FROM {table} WHERE name = '{name}'")
        if not rows:
            return None
        taken_for, left, holder = rows[0].split("|")
        return float(taken_for), float(left), holder

    def check_that_servers_wait_for_the_library(self, clock):
        holder = self.new_holder(clock=clock)
        self.assert_exists_before_the_server()
        self.assertTrue(holder.lock(DISPATCH))
        server = self.new_server(self.store, *SINGLE)
        self.prepare(server)
        ids = self.enqueue(server, 2)
        failures = self.lock_failures(server)
        wait_until(lambda: self.lock_failures(server) >= failures + 5, "rounds that are left out")
        self.assertEqual(self.execution(server, ids[0])["queueStatus"], "PENDING")
        holder.unlock(DISPATCH)
        self.wait_for_dispatch(server, ids)

    def assert_exists_before_the_server(self):
        """Made by hand, as the library's users do: it is used as it is."""
        self.store.postgres.query(
            "CREATE TABLE shedlock(name VARCHAR(64) NOT NULL, lock_until TIMESTAMP(3) NOT NULL, "
            "locked_at TIMESTAMP(3) NOT NULL, locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))")

    def test_servers_wait_for_the_library_by_the_clock_of_the_database(self):
        self.check_that_servers_wait_for_the_library("database")

    def test_servers_wait_for_the_library_by_its_own_clock(self):
        self.check_that_servers_wait_for_the_library("application")

    def check_that_the_library_waits_for_servers(self, clock):
        server = self.new_server(self.store, *SINGLE)
        self.prepare(server)
        holder = self.new_holder(clock=clock)
        with session(self.store.url) as ask:
            # The server takes its lock, and then waits for us.
            self.assertEqual(ask("BEGIN; LOCK TABLE execution_open; SELECT 'locked'"), "locked")
            taken_for, left, owner = wait_until(self.held_for_long, "a round under way")
            self.assertFalse(holder.lock(DISPATCH))
            self.assertAlmostEqual(taken_for, AT_MOST_SECONDS, delta=1)
            self.assertAlmostEqual(left, AT_MOST_SECONDS, delta=ROUND_SECONDS)
            self.assertRegex(owner, r"^[0-9A-Z]{26} \S+:\d+$")
            ask("ROLLBACK; SELECT 'free'")
        wait_until(lambda: not self.held_for_long(), "the end of the round", ROUND_SECONDS)
        server.stop()
        self.assertLessEqual(self.lock_row()[0], AT_LEAST_SECONDS + AT_MOST_SECONDS / 2)
        wait_until(lambda: holder.lock(DISPATCH), "the library's turn", ROUND_SECONDS)

    def held_for_long(self):
        row = self.lock_row()
        return row if row and row[0] > AT_MOST_SECONDS / 2 and row[1] > 0 else None

    def test_the_library_waits_for_servers_by_the_clock_of_the_database(self):
        self.check_that_the_library_waits_for_servers("database")

    def test_the_library_waits_for_servers_by_its_own_clock(self):
        self.check_that_the_library_waits_for_servers("application")

    def test_a_short_round_holds_the_lock_at_least_for_its_time(self):
        server = self.new_server(self.store, *SINGLE)
        holder = self.new_holder()
        row = wait_until(self.lock_row, "the first round")
        wait_until(lambda: self.lock_row()[0] < AT_MOST_SECONDS / 2, "its end")
        self.assertFalse(holder.lock(DISPATCH), row)
        self.assertAlmostEqual(self.lock_row()[0], AT_LEAST_SECONDS, delta=1)
        wait_until(lambda: self.lock_row(RECOVERY), "the first recovery")
        wait_until(lambda: self.lock_row(RECOVERY)[0] < 60, "its end")
        self.assertAlmostEqual(self.lock_row(RECOVERY)[0], 30, delta=1)
        self.assertFalse(holder.lock(RECOVERY))
        server.stop()

    def test_a_lock_that_ran_out_is_taken_over_by_either(self):
        self.assert_exists_before_the_server()
        holder = self.new_holder()
        self.assertTrue(holder.lock(DISPATCH, at_most=3600))
        server = self.new_server(self.store, *SINGLE)
        self.prepare(server)
        ids = self.enqueue(server)
        wait_until(lambda: self.lock_failures(server) > 2, "rounds that are left out")
        self.run_lock_out()
        self.wait_for_dispatch(server, ids)
        server.send_signal(signal.SIGSTOP)
        self.run_lock_out()
        self.assertTrue(holder.lock(DISPATCH, at_most=3600), "of a server that is frozen")
        server.send_signal(signal.SIGCONT)
        more = self.enqueue(server)
        failures = self.lock_failures(server)
        wait_until(lambda: self.lock_failures(server) > failures + 2, "rounds that are left out")
        self.assertEqual(self.execution(server, more[0])["queueStatus"], "PENDING")

    def run_lock_out(self):
        self.store.postgres.query(
            "UPDATE shedlock SET lock_until = timezone('utc', clock_timestamp())")

    def test_the_table_may_have_another_name(self):
        self.store.postgres.query("CREATE SCHEMA IF NOT EXISTS app; DROP TABLE IF EXISTS app.locks")
        server = self.new_server(self.store, *SINGLE, "--dispatcher-lock-table", "app.locks")
        wait_until(lambda: self.lock_row(table="app.locks"), "the first round")
        self.assertIsNone(self.lock_row())
        holder = self.new_holder(table="app.locks")
        self.assertFalse(holder.lock(DISPATCH))
        server.stop()

    def test_two_servers_and_the_library_never_hold_it_together(self):
        servers = [self.new_server(self.store, *SINGLE) for _ in range(2)]
        self.prepare(servers[0])
        holder = self.new_holder()
        wait_until(lambda: holder.lock(DISPATCH), "the library's turn", 4 * ROUND_SECONDS)
        batches = len(self.batches(*servers))
        ids = self.enqueue(servers[0], 3)
        failures = [self.lock_failures(each) for each in servers]
        for server, before in zip(servers, failures):
            wait_until(lambda each=server, count=before: self.lock_failures(each) > count + 3,
                       "rounds that are left out")
        self.assertEqual(len(self.batches(*servers)), batches)
        holder.unlock(DISPATCH)
        self.wait_for_dispatch(servers[0], ids)


if __name__ == "__main__":
    SingleModeTestCase.program = sys.argv.pop(1)
    unittest.main()
