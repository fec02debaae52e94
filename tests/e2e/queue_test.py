#!/usr/bin/env python3
"""The execution queue as its users meet it, from the enqueue to the end.

Usage: queue_test.py PROGRAM sqlite|postgres [unittest arguments]

Goal: what the queue promises holds in the program as a whole, on both stores.
Method: clients and workers over REST. Servers look at the queue by themselves once an hour only, so
whatever starts was woken by a commit.

Elsewhere: the calls and their refusals (contract_queue.py), explanations (contract_explain.py), every
answer of an executor and every order of events (src/queue/*_test.cpp), admission under contention
(tests/store_conformance), kills and lost databases (queue_kill_test.py), a real Temporal
(queue_temporal_test.py).
"""

import concurrent.futures
import os
import re
import socket
import sqlite3
import subprocess
import sys
import unittest

from client import PATIENCE_SECONDS
from contract_case import run_beside
from contract_queue import FAR_FUTURE, QueueTestCase, far
from definitions import definition, one_task, step, task
from postgres import session
from server import PostgresStore, Server, SqliteStore, wait_until
from times import instant

NO_NET = ("--dispatcher-poll-interval", "3600")
RACES = 20


def run_on(store, statement):
    """Does behind the back of a server that is stopped what no call can do."""
    if store.name == "sqlite":
        with sqlite3.connect(store.path) as database:
            database.execute(statement)
        database.close()
    else:
        subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", "-c", statement, store.url],
                       check=True, timeout=PATIENCE_SECONDS)


class ScenarioTestCase(QueueTestCase):
    """Calls of a worker in a workspace."""

    program = ""
    store_kind = None

    def new_server(self, store, *options):
        """One for a test alone, which all its calls go to from now on."""
        server = Server(self.program, store, *NO_NET, *options)
        self.addCleanup(server.discard)
        self.server = server.start()
        self.client = self.new_client()
        return server

    def new_store(self):
        store = self.store_kind()
        self.addCleanup(store.remove)
        return store

    def jobs(self, workspace, job_type, count=1):
        """So many, as soon as they are there."""
        found = []
        while len(found) < count:
            body = {"workerId": "w", "jobTypes": [job_type], "maxJobs": count - len(found),
                    "waitSeconds": 20}
            more = self.in_workspace(workspace, "POST", "/v1/jobs/poll", body).json()["jobs"]
            self.assertNotEqual(more, [], f"{len(found)} of {count} jobs of {job_type} came.")
            found += more
        return found

    def complete(self, workspace, job, **variables):
        self.in_workspace(workspace, "POST", f"/v1/jobs/{job['id']}/complete",
                          {"workerId": "w", "variables": variables}, 204)

    def in_workspace(self, workspace, method, path, body=None, status=200):
        return self.expect(status, method, path, body, {"Millrace-Workspace": workspace})

    def statuses(self, ids):
        return [self.execution(each)["queueStatus"] for each in ids]

    def metric(self, name):
        client = self.server.metrics_client()
        found = re.search(rf"^{name} (\S+)$", client.get("/metrics").text, re.MULTILINE)
        client.close()
        return float(found[1]) if found else 0


class LifeTest(ScenarioTestCase):
    def test_fifteen_run_at_once_where_there_is_room_and_each_has_its_own_result(self):
        self.new_workspace("s-life", one_task("life"), maxActive=15)
        sent = [self.enqueue("s-life", "life", input={"number": each, "deep": {"list": [1, None]}})
                for each in range(15)]
        jobs = self.jobs("s-life", "life", 15)
        self.assertEqual(sorted(each["variables"]["number"] for each in jobs), list(range(15)))
        queue = self.queue("s-life")
        self.assertEqual(queue["queueStatuses"], {"PENDING": 0, "CLAIMED": 0, "DISPATCHED": 15})
        self.assertEqual(queue["active"], 15)
        for job in jobs:
            self.complete("s-life", job, square=job["variables"]["number"] ** 2)
        for number, each in enumerate(sent):
            over = self.execution(each["id"])
            self.assertEqual((over["queueStatus"], over["status"]), ("COMPLETED", "COMPLETED"))
            self.assertEqual(over["result"], {**over["input"], "square": number ** 2})
            self.assertEqual(over["input"], {"number": number, "deep": {"list": [1, None]}})
            times = [instant(over[name]) for name in (
                "createdAt", "claimedAt", "dispatchedAt", "completedAt")]
            self.assertEqual(times, sorted(times))
            self.assertEqual(instant(over["startedAt"]), instant(over["claimedAt"]))
            self.assertEqual((over["attemptCount"], over["deferrals"], over["recoveries"]),
                             (0, 0, 0))
        queue = self.queue("s-life")
        self.assertEqual((queue["active"], sum(queue["places"].values())), (0, 0))

    def test_priorities_come_first_and_then_the_oldest(self):
        self.new_workspace("s-order", one_task("order"), plan="FREE", paused=True)
        wanted = [2, 0, 1, 3]  # In this order they are to run.
        for name, priority in ((0, 5), (1, 0), (2, 9), (3, 0)):
            self.enqueue("s-order", "order", input={"name": name}, priority=priority)
        self.pause("s-order", False)
        for name in wanted:
            [job] = self.jobs("s-order", "order")
            self.assertEqual(job["variables"]["name"], name)
            self.complete("s-order", job)

    def test_the_version_of_the_enqueue_runs(self):
        self.new_workspace("s-pinned", one_task("pinned"), paused=True)
        old = self.enqueue("s-pinned", "pinned")["id"]
        newer = definition("pinned", task("work", "newer", "done"), step("done", "END"))
        self.post("/v1/workspaces/s-pinned/definitions", newer, 201)
        new = self.enqueue("s-pinned", "pinned")["id"]
        self.pause("s-pinned", False)
        for execution_id, version, job_type in ((old, 1, "pinned"), (new, 2, "newer")):
            [job] = self.jobs("s-pinned", job_type)
            self.assertEqual(job["instanceId"], execution_id)
            self.complete("s-pinned", job)
            over = self.execution(execution_id)
            self.assertEqual((over["queueStatus"], over["definitionVersion"]),
                             ("COMPLETED", version))

    def test_a_chain_keeps_its_slot_to_its_end(self):
        first = one_task("chain_first")
        first |= {"autoStartNextWorkflow": True, "nextWorkflowId": "chain_next"}
        self.new_workspace("s-chain", one_task("chain_next"), first, plan="FREE")
        chain, waiting = (self.enqueue("s-chain", "chain_first")["id"] for _ in range(2))
        [job] = self.jobs("s-chain", "chain_first")
        self.complete("s-chain", job, first=True)
        [job] = self.jobs("s-chain", "chain_next")
        self.assertNotEqual(job["instanceId"], chain)
        self.assertEqual(self.statuses([chain, waiting]), ["DISPATCHED", "PENDING"])
        self.assertEqual(self.execution(chain)["runId"], job["instanceId"])
        self.assertEqual(self.queue("s-chain")["active"], 1)
        self.complete("s-chain", job, second=True)
        over = self.execution(chain)
        self.assertEqual((over["queueStatus"], over["runId"]), ("COMPLETED", job["instanceId"]))
        self.assertEqual((over["result"]["first"], over["result"]["second"]), (True, True))
        self.wait_for(waiting, "DISPATCHED")

    def test_a_direct_start_takes_no_slot(self):
        self.new_workspace("s-direct", one_task("direct"), plan="FREE")
        for _ in range(2):
            self.in_workspace("s-direct", "POST", "/v1/instances", {"definitionId": "direct"}, 201)
        self.assertEqual(self.queue("s-direct")["active"], 0)
        self.wait_for(self.enqueue("s-direct", "direct")["id"], "DISPATCHED")


class LimitsTest(ScenarioTestCase):
    def test_a_free_workspace_runs_one_after_the_other(self):
        self.new_workspace("s-free", one_task("free"), plan="FREE")
        passed_over = self.metric("queue_items_at_capacity_total")
        ids = [self.enqueue("s-free", "free")["id"] for _ in range(4)]
        for done in range(4):
            [job] = self.jobs("s-free", "free")
            self.assertEqual(job["instanceId"], ids[done])
            self.assertEqual(self.statuses(ids), ["COMPLETED"] * done + ["DISPATCHED"]
                             + ["PENDING"] * (3 - done))
            self.complete("s-free", job)
        self.assertEqual(self.statuses(ids), ["COMPLETED"] * 4)
        for before, after in zip(ids, ids[1:]):
            self.assertGreaterEqual(instant(self.execution(after)["claimedAt"]),
                                    instant(self.execution(before)["completedAt"]))
        self.assertGreater(self.metric("queue_items_at_capacity_total"), passed_over)

    def test_a_lower_limit_lets_finish_what_runs(self):
        self.new_workspace("s-lower", one_task("lower"), maxActive=3)
        self.new_workspace("s-lower-mark", one_task("mark"))
        ids = [self.enqueue("s-lower", "lower")["id"] for _ in range(5)]
        jobs = self.jobs("s-lower", "lower", 3)
        self.expect(200, "PATCH", "/v1/workspaces/s-lower", {"maxActive": 1})
        for done, job in enumerate(jobs):
            self.assertEqual(self.queue("s-lower")["active"], 3 - done)
            self.assertEqual(self.statuses(ids[3:]), ["PENDING"] * 2)
            self.complete("s-lower", job)
            # A round has passed since, for this one was let in by it.
            self.wait_for(self.enqueue("s-lower-mark", "mark")["id"], "DISPATCHED")
        for last in ids[3:]:
            [job] = self.jobs("s-lower", "lower")
            self.assertEqual(job["instanceId"], last)
            self.assertEqual(self.queue("s-lower")["active"], 1)
            self.complete("s-lower", job)

    def test_a_higher_limit_and_the_end_of_a_pause_are_noticed_at_once(self):
        self.new_workspace("s-higher", one_task("higher"), maxActive=1)
        ids = [self.enqueue("s-higher", "higher")["id"] for _ in range(3)]
        self.wait_for(ids[0], "DISPATCHED")
        self.expect(200, "PATCH", "/v1/workspaces/s-higher", {"maxActive": 2})
        self.wait_for(ids[1], "DISPATCHED")
        self.expect(200, "PATCH", "/v1/workspaces/s-higher", {"maxActive": 3, "paused": True})
        self.assertEqual(self.statuses(ids[2:]), ["PENDING"])
        self.pause("s-higher", False)
        self.wait_for(ids[2], "DISPATCHED")

    def test_ten_that_are_blocked_delay_nobody_else(self):
        self.new_workspace("s-blocked", one_task("blocked"), plan="FREE")
        self.new_workspace("s-keyed", one_task("keyed"))
        self.new_workspace("s-other", one_task("other"))
        blocked = [self.enqueue("s-blocked", "blocked", priority=9)["id"] for _ in range(11)]
        keyed = [self.enqueue("s-keyed", "keyed", concurrencyKey="k")["id"] for _ in range(11)]
        free = self.enqueue("s-keyed", "keyed")["id"]
        other = self.enqueue("s-other", "other")["id"]
        self.wait_for(other, "DISPATCHED")
        self.wait_for(free, "DISPATCHED")
        self.assertEqual(self.statuses(blocked), ["DISPATCHED"] + ["PENDING"] * 10)
        self.assertEqual(self.statuses(keyed), ["DISPATCHED"] + ["PENDING"] * 10)

    def test_each_requester_has_its_own_limit_by_the_key(self):
        self.new_workspace("s-keys", one_task("keys"), maxActive=5, maxPerKey=2)
        ids = {key: [self.enqueue("s-keys", "keys", concurrencyKey=key)["id"] for _ in range(3)]
               for key in ("ann", "bob")}
        jobs = self.jobs("s-keys", "keys", 4)
        for each in ids.values():
            self.assertEqual(self.statuses(each), ["DISPATCHED"] * 2 + ["PENDING"])
        [first] = [each for each in jobs if each["instanceId"] == ids["ann"][0]]
        self.complete("s-keys", first)
        self.wait_for(ids["ann"][2], "DISPATCHED")
        self.assertEqual(self.statuses(ids["bob"]), ["DISPATCHED"] * 2 + ["PENDING"])


class CancelTest(ScenarioTestCase):
    def cancel(self, execution_id, **body):
        return self.post(f"/v1/executions/{execution_id}/cancel", body).json()

    def test_wherever_it_waits_it_is_over_at_once_and_never_runs(self):
        self.new_workspace("s-cancel", one_task("cancel"), maxActive=2)
        running = self.enqueue("s-cancel", "cancel", concurrencyKey="k")["id"]
        self.wait_for(running, "DISPATCHED")
        waiting = {
            "PARKED": self.enqueue("s-cancel", "cancel", concurrencyKey="k")["id"],
            "DUE": self.enqueue("s-cancel", "cancel", notBefore=FAR_FUTURE)["id"]}
        second = self.enqueue("s-cancel", "cancel")["id"]
        self.wait_for(second, "DISPATCHED")
        waiting["READY"] = self.enqueue("s-cancel", "cancel")["id"]
        wait_until(lambda: self.queue("s-cancel")["places"]
                   == {"READY": 1, "PARKED": 1, "DUE": 1, "ACTIVE": 2}, "all places")
        for place, each in waiting.items():
            self.assertEqual(self.cancel(each)["queueStatus"], "CANCELLED", place)
            self.assertEqual(self.queue("s-cancel")["places"][place], 0)
        for job in self.jobs("s-cancel", "cancel", 2):
            self.complete("s-cancel", job)
        for each in waiting.values():
            over = self.execution(each)
            self.assertEqual((over["queueStatus"], over["status"]), ("CANCELLED", "CANCELLED"))
            self.assertNotIn("claimedAt", over)
            self.in_workspace("s-cancel", "GET", f"/v1/instances/{each}", status=404)

    def test_what_runs_here_gives_its_slot_to_the_next(self):
        self.new_workspace("s-next", one_task("next"), plan="FREE")
        first, second = (self.enqueue("s-next", "next")["id"] for _ in range(2))
        [job] = self.jobs("s-next", "next")
        self.assertEqual(self.cancel(first, reason="changed my mind")["queueStatus"], "CANCELLED")
        self.wait_for(second, "DISPATCHED")
        self.in_workspace("s-next", "POST", f"/v1/jobs/{job['id']}/complete", {"workerId": "w"}, 204)
        self.assertEqual(self.statuses([first, second]), ["CANCELLED", "DISPATCHED"])

    def test_a_race_with_the_completion_has_one_outcome(self):
        self.new_workspace("s-race", one_task("race"))
        ids = [self.enqueue("s-race", "race")["id"] for _ in range(RACES)]
        jobs = {each["instanceId"]: each for each in self.jobs("s-race", "race", RACES)}
        cancelling, completing = self.new_client(), self.new_client()
        headers = {"Millrace-Workspace": "s-race"}
        with concurrent.futures.ThreadPoolExecutor(2) as both:
            for each in ids:
                cancelled = both.submit(cancelling.post, f"/v1/executions/{each}/cancel")
                path = f"/v1/jobs/{jobs[each]['id']}/complete"
                both.submit(completing.post, path, {"workerId": "w"}, headers).result()
                over = self.execution(each)["queueStatus"]
                self.assertEqual(over, {200: "CANCELLED", 409: "COMPLETED"}[
                    cancelled.result().status])
                instance = self.in_workspace("s-race", "GET", f"/v1/instances/{each}").json()
                self.assertEqual(instance["status"], over)
        self.assertEqual(self.queue("s-race")["active"], 0)


class SwitchTest(ScenarioTestCase):
    """Each with a server of its own."""

    def test_without_the_engine_all_is_kept_until_there_is_one(self):
        store = self.new_store()
        server = self.new_server(store, "--engine-enabled", "false")
        self.new_workspace("off", one_task("off"))
        ids = [self.enqueue("off", "off")["id"] for _ in range(3)]
        ready = self.get("/readyz").json()
        self.assertTrue(ready["ready"])
        self.assertIn("switched off", ready["notes"][0])
        # Executions of the engine that need no queue go on.
        self.in_workspace("off", "POST", "/v1/instances", {"definitionId": "off"}, 201)
        self.jobs("off", "off")
        self.assertEqual(self.statuses(ids), ["PENDING"] * 3)
        self.assertEqual(self.get(f"/v1/executions/{ids[0]}/explain").json()["reasons"][0]["code"],
                         "ENGINE_DISABLED")
        self.assertEqual(server.stop(), 0)
        self.new_server(store)
        self.assertNotIn("notes", self.get("/readyz").json())
        for each in ids:
            self.wait_for(each, "DISPATCHED")

    def test_what_lost_its_workspace_definition_or_version_fails_alone(self):
        store = self.new_store()
        server = self.new_server(store, "--engine-enabled", "false")
        for workspace in ("gone", "left"):
            self.new_workspace(workspace, one_task("kept"))
        self.post("/v1/workspaces/left/definitions", one_task("removed"), 201)
        newer = definition("kept", task("work", "kept", "done", retryCount=7), step("done", "END"))
        self.post("/v1/workspaces/left/definitions", newer, 201)
        wanted = {
            self.enqueue("gone", "kept")["id"]: "WORKSPACE_NOT_FOUND",
            self.enqueue("left", "removed")["id"]: "DEFINITION_NOT_FOUND",
            self.enqueue("left", "kept", definitionVersion=1)["id"]: "VERSION_NOT_FOUND"}
        sound = self.enqueue("left", "kept")["id"]
        self.assertEqual(server.stop(), 0)
        for statement in (
                "DELETE FROM workspace WHERE id = 'gone'",
                "DELETE FROM definition WHERE workspace_id = 'left' AND id = 'removed'",
                "DELETE FROM definition WHERE workspace_id = 'left' AND id = 'kept' AND version = 1"):
            run_on(store, statement)
        self.new_server(store, "--dispatcher-poll-interval", "0.1")
        for each, reason in wanted.items():
            failed = self.wait_for(each, "FAILED")
            self.assertEqual((failed["error"]["reason"], failed["attemptCount"]), (reason, 0))
        self.wait_for(sound, "DISPATCHED")

    def test_what_is_being_started_elsewhere_is_cancelled_when_that_answers(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            port = silent.getsockname()[1]
            self.new_server(self.new_store(), "--temporal-address", f"127.0.0.1:{port}",
                            "--temporal-task-queue", "q")
            self.new_workspace("far", {**far("far"), "executor": {"kind": "temporal"}}, plan="FREE")
            starting, waiting = (self.enqueue("far", "far")["id"] for _ in range(2))
            self.wait_for(starting, "CLAIMED")
            asked = self.post(f"/v1/executions/{starting}/cancel").json()
            self.assertEqual(asked["queueStatus"], "CLAIMED")
            self.assertIn("cancelRequestedAt", asked)
            self.assertEqual(self.statuses([waiting]), ["PENDING"])
            self.assertEqual(self.queue("far")["active"], 1)


class PoisonTest(ScenarioTestCase):
    """An operator has forbidden something that a start brings about: the store refuses the batch."""

    FORBIDDEN = {
        "sqlite": "CREATE TRIGGER no_poison BEFORE INSERT ON instance "
                  "WHEN NEW.variables LIKE '%poison%' BEGIN SELECT RAISE(ABORT, 'no'); END",
        "postgres": "ALTER TABLE instance ADD CONSTRAINT no_poison "
                    "CHECK (variables NOT LIKE '%poison%')",
    }

    def test_one_that_cannot_be_stored_fails_alone_and_the_others_of_its_batch_go_on(self):
        store = self.new_store()
        self.new_server(store).stop()
        run_on(store, self.FORBIDDEN[store.name])
        self.new_server(store)
        workspaces = ("s-poison", "s-beside")
        good, bad = [], []
        for each in workspaces:
            self.new_workspace(each, definition("quick", step("done", "END")))
            self.pause(each, True)
            for number in range(12):
                is_bad = number in (3, 4, 11)
                made = self.enqueue(each, "quick", input={"poison": 1} if is_bad else {})
                (bad if is_bad else good).append(made["id"])
        for each in workspaces:
            self.pause(each, False)
        for each in good:
            self.wait_for(each, "COMPLETED")
        for each in bad:
            failed = self.wait_for(each, "FAILED")
            self.assertEqual(failed["error"]["reason"], "START_FAILED")
            self.assertIn("The store refuses", failed["error"]["message"])
        for each in workspaces:
            self.assertEqual(self.queue(each)["active"], 0)
            self.assertEqual(len(self.ids(f"/v1/workspaces/{each}/dead-letters")), 3)


class SqlTest(ScenarioTestCase):
    """millrace_enqueue, in transactions of the user's own. On PostgreSQL only."""

    def ask(self, statement):
        done = subprocess.run(
            ["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-c", statement, self.server.store.url],
            check=True, timeout=PATIENCE_SECONDS, capture_output=True, text=True)
        return done.stdout.strip()

    def test_it_is_there_if_and_only_if_the_transaction_commits(self):
        self.new_workspace("sql", one_task("sql"), maxPerKey=1)
        self.ask("CREATE TABLE orders (id integer, execution_id text)")
        call = """millrace_enqueue('sql', 'sql', '{"order": 7, "big": 12345678901234567890}',
                  '{"priority": 3, "concurrencyKey": "k", "requestedBy": "shop"}')"""
        with session(self.server.store.url) as ask:
            kept = ask(f"BEGIN; INSERT INTO orders SELECT 7, {call} RETURNING execution_id")
            self.expect(404, "GET", f"/v1/executions/{kept}")
            # Nobody waits for that transaction, not even in the same workspace.
            neighbour = self.enqueue("sql", "sql")["id"]
            self.wait_for(neighbour, "DISPATCHED")
            ask("COMMIT; SELECT 1")
            lost = ask(f"BEGIN; INSERT INTO orders SELECT 8, {call} RETURNING execution_id")
            ask("ROLLBACK; SELECT 1")
        jobs = self.jobs("sql", "sql", 2)
        [job] = [each for each in jobs if each["instanceId"] == kept]
        self.assertEqual(job["variables"], {"order": 7, "big": 12345678901234567890})
        for each in jobs:
            self.complete("sql", each)
        over = self.execution(kept)
        self.assertEqual((over["queueStatus"], over["priority"], over["concurrencyKey"],
                          over["requestedBy"]), ("COMPLETED", 3, "k", "shop"))
        self.expect(404, "GET", f"/v1/executions/{lost}")
        self.assertEqual(self.ask("SELECT execution_id FROM orders"), kept)
        self.assertEqual(len(self.ids("/v1/workspaces/sql/executions")), 2)

    def test_many_in_one_statement_keep_the_limit(self):
        self.new_workspace("sql-many", one_task("sql_many"), plan="PRO")
        ids = self.ask("SELECT millrace_enqueue('sql-many', 'sql_many') FROM generate_series(1, 12)")
        self.jobs("sql-many", "sql_many", 5)
        self.assertEqual(self.queue("sql-many")["queueStatuses"],
                         {"PENDING": 7, "CLAIMED": 0, "DISPATCHED": 5})
        self.assertEqual(len(set(ids.split())), 12)

    def test_what_the_engine_cannot_read_fails_alone(self):
        """On today's server and after a restart: it used to end every one that looked at it."""
        decision = definition("sql_read", step(
            "choose", "DECISION", conditionalNextSteps={"true": "done"}), step("done", "END"))
        self.new_workspace("sql-read", decision)
        self.pause("sql-read", True)
        inputs = ("""'{"a":1,"a":2}'""", """'{"a":1e999}'""",
                  """(repeat('{"a":', 200) || '1' || repeat('}', 200))::json""")
        bad = [self.ask(f"SELECT millrace_enqueue('sql-read', 'sql_read', {each})")
               for each in inputs]
        # An ordinary way to say that there is no bound.
        good = self.ask("""SELECT millrace_enqueue('sql-read', 'sql_read', '{}',
                           '{"notBefore": "-infinity", "deadline": "infinity"}')""")
        self.pause("sql-read", False)
        self.wait_for(good, "COMPLETED")
        for each in bad:
            failed = self.wait_for(each, "FAILED")
            self.assertEqual(failed["error"]["reason"], "INVALID_INPUT")
        self.assertEqual(self.get("/readyz").status, 200)

    def test_rows_of_an_earlier_version_stop_nobody(self):
        """Infinite times, and a row that no program of ours can read."""
        self.new_workspace("sql-old", definition("sql_old", step("done", "END")))
        self.pause("sql-old", True)
        rows = [self.enqueue("sql-old", "sql_old")["id"] for _ in range(4)]
        changes = ("not_before = '-infinity'", "deadline = '-infinity'", "executor = 'steam'")
        for each, change in zip(rows, changes):
            self.ask(f"UPDATE execution SET {change} WHERE millrace_id_text(id) = '{each}'")
        self.pause("sql-old", False)
        self.wait_for(rows[3], "COMPLETED")
        self.wait_for(rows[0], "COMPLETED")
        self.assertEqual(self.wait_for(rows[1], "FAILED")["error"]["reason"], "DEADLINE_EXCEEDED")
        self.ask(f"UPDATE execution SET executor = 'native' WHERE millrace_id_text(id) = '{rows[2]}'")
        self.assertEqual(self.wait_for(rows[2], "FAILED")["error"]["reason"], "INVALID_INPUT")
        self.assertGreaterEqual(self.metric("millrace_db_rows_unreadable_total"), 1)

    def test_what_makes_no_sense_spoils_the_transaction(self):
        self.new_workspace("sql-bad", one_task("sql_bad"))
        for arguments in ("'none', 'sql_bad'", "'sql-bad', 'none'", "'sql-bad', 'sql_bad', '[]'",
                          """'sql-bad', 'sql_bad', '{}', '{"priority": 10}'""",
                          """'sql-bad', 'sql_bad', '{}', '{"prioritty": 1}'""",
                          """'sql-bad', 'sql_bad', '{}', '{"notBefore": "infinity"}'""",
                          """'sql-bad', 'sql_bad', '{}', '{"deadline": "-infinity"}'""",
                          """'sql-bad', 'sql_bad', '{}', '{"definitionVersion": -1}'""",
                          """'sql-bad', 'sql_bad', '{"a": "\\ud800"}'"""):
            with self.subTest(arguments), self.assertRaises(subprocess.CalledProcessError):
                self.ask(f"SELECT millrace_enqueue({arguments})")
        self.assertEqual(self.ids("/v1/workspaces/sql-bad/executions"), [])


def load_tests(loader, _tests, _pattern):
    cases = [LifeTest, LimitsTest, CancelTest, SwitchTest, PoisonTest]
    if ScenarioTestCase.store_kind is PostgresStore:
        cases.append(SqlTest)
    return unittest.TestSuite(map(loader.loadTestsFromTestCase, cases))


def main():
    program = os.path.abspath(sys.argv.pop(1))
    ScenarioTestCase.program = program
    ScenarioTestCase.store_kind = {"sqlite": SqliteStore, "postgres": PostgresStore}[sys.argv.pop(1)]
    store = ScenarioTestCase.store_kind()
    return run_beside(Server(program, store, *NO_NET), store)


if __name__ == "__main__":
    sys.exit(main())
