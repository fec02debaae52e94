#!/usr/bin/env python3
"""Breaks replicas and their database under load, and asks for every promise that was made.

Usage: faults_test.py PROGRAM PRELOAD [unittest arguments]
PRELOAD is the library of tests/support/full_disk.c.
MILLRACE_STRIKES: how often (3). MILLRACE_SEED: repeats the dice of an earlier run.

Goal: whatever dies, every acknowledged instance ends right, and every step took effect once.
Method: clients and workers call replicas at random and repeat what was not answered, while a fault
strikes again and again. At the end the checker compares histories with the definitions and with all
that was acknowledged. docs/failure_modes.md says what users and operators see of each.
"""

import os
import pathlib
import random
import signal
import socket
import sys
import threading
import unittest

import definitions
import faults
from client import Lost
from cluster import Cluster
from cutting_proxy import CuttingProxy
from disks import PretendedDisk, SmallDisk
from load import Load, judge, seed_of_run
from postgres import Pair, Postgres, session, url_of
from server import PostgresStore, ServerTestCase, wait_until

PRELOAD = ""
STRIKES = int(os.environ.get("MILLRACE_STRIKES", "3"))
SLOW_STRIKES = max(1, STRIKES // 3)  # Of faults that take their time.
REPLICAS = 3
ANSWERS_BETWEEN = 60  # At most, between two strikes.
ANSWER_SECONDS = 5  # Much longer than one takes.
KEEPALIVE_SECONDS = 10  # As configure_transaction.sql has it; the kernel's own are two hours.
KEEPALIVE_TIMER = "02"
DISK_MEGABYTES = 120  # The tables of a new database have some 40.


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def keepalives_of(port):
    """In how many seconds the server of a port will ask each of its clients for a sign of life."""
    seconds = []
    for line in pathlib.Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        fields = line.split()
        timer, ticks = fields[5].split(":")
        if int(fields[1].split(":")[1], 16) == port and timer == KEEPALIVE_TIMER:
            seconds.append(int(ticks, 16) / os.sysconf("SC_CLK_TCK"))
    return seconds


class Store:
    def __init__(self, url):
        self.url = url


class FaultTestCase(ServerTestCase):
    def setUp(self):
        self.seed = seed_of_run()

    def new_postgres(self, **options):
        database = Postgres(**options)
        self.addCleanup(database.stop)
        database.start()
        return database

    def new_load(self, store):
        servers = [self.new_server(store) for _ in range(REPLICAS)]
        return Load(Cluster(servers), self.seed)

    def strike_under(self, load, fault, strikes=STRIKES):
        dice = random.Random(self.seed)
        load.start()
        for _ in range(strikes):
            load.await_answers(dice.randint(1, ANSWERS_BETWEEN))
            fault.strike(dice)
        load.await_answers(ANSWERS_BETWEEN)
        load.finish()
        self.assertEqual(judge(load)[:20], [])
        for server in load.cluster.servers:
            self.assertEqual(server.stop(), 0)


class ReplicaTest(FaultTestCase):
    def setUp(self):
        super().setUp()
        self.store = self.new_store(PostgresStore)
        self.load = self.new_load(self.store)

    def test_a_replica_is_killed(self):
        self.strike_under(self.load, faults.ReplicaKilled(self.load.cluster, self.load))

    def test_a_replica_is_frozen_beyond_its_leases(self):
        self.strike_under(self.load, faults.ReplicaFrozen(self.load.cluster, self.load),
                          SLOW_STRIKES)

    def test_a_replica_is_restarted(self):
        self.strike_under(self.load, faults.ReplicaRestarted(self.load.cluster))

    def test_a_snapshot_is_held(self):
        self.strike_under(self.load, faults.SnapshotHeld(self.store.url, self.load))


class BackendTest(FaultTestCase):
    def setUp(self):
        super().setUp()
        self.database = self.new_postgres()
        self.load = self.new_load(Store(self.database.url()))

    def test_a_backend_is_killed(self):
        self.strike_under(self.load, faults.BackendKilled(self.database))

    def test_backends_are_terminated(self):
        self.strike_under(self.load, faults.BackendsTerminated(self.database))

    def test_the_database_is_restarted_immediately(self):
        self.strike_under(self.load, faults.DatabaseRestarted(self.database))


class CommitTest(FaultTestCase):
    def test_a_connection_is_cut_at_a_commit(self):
        proxy = CuttingProxy(self.new_postgres().directory)
        self.addCleanup(proxy.stop)
        load = self.new_load(Store(url_of(proxy.port)))
        self.strike_under(load, faults.CommitCut(proxy))
        self.assertEqual(sum(proxy.cuts.values()), STRIKES)


class VanishedClientTest(FaultTestCase):
    """A machine that is gone says no word, and the network has to tell the database."""

    def test_the_database_asks_soon_whether_its_client_is_there(self):
        database = self.new_postgres(listen_addresses="127.0.0.1", port=free_port())
        port = int(database.settings["port"])
        server = self.new_server(Store(url_of(port)))
        client = server.client(ANSWER_SECONDS)
        definition = definitions.one_task("held")
        self.assertEqual(client.post("/v1/definitions", definition).status, 201)
        start = {"definitionId": "held"}
        with session(database.url()) as ask:
            ask("BEGIN; LOCK TABLE instance; SELECT 1")
            caller = threading.Thread(target=self.start_and_wait, args=[client, start])
            caller.start()
            wait_until(lambda: any(each <= KEEPALIVE_SECONDS for each in keepalives_of(port)),
                       "a connection that is watched")
        caller.join()

    @staticmethod
    def start_and_wait(client, start):
        assert client.post("/v1/instances", start).status == 201


class FailoverTest(FaultTestCase):
    def new_pair(self):
        pair = Pair(Postgres(), Postgres())
        self.addCleanup(pair.stop)
        pair.start()
        return pair

    @staticmethod
    def store_of(pair):
        return Store(url_of(pair.primary.directory, pair.standby.directory))

    def test_a_standby_is_promoted(self):
        pair = self.new_pair()
        load = self.new_load(self.store_of(pair))
        self.strike_under(load, faults.PrimaryLost(pair), SLOW_STRIKES)


    def test_nothing_is_acknowledged_that_no_standby_has(self):
        pair = self.new_pair()
        server = self.new_server(self.store_of(pair))
        client = server.client(ANSWER_SECONDS)
        self.assertEqual(client.post("/v1/definitions", definitions.one_task("kept")).status, 201)
        wait_until(pair.primary.has_synchronous_standby, "the standby to keep up")
        pair.standby.send_signal_to_all(signal.SIGSTOP)
        start = ("/v1/instances", {"definitionId": "kept"}, {"Idempotency-Key": "once"})
        with self.assertRaises(Lost):
            client.post(*start)
        pair.standby.send_signal_to_all(signal.SIGCONT)
        instance = wait_until(lambda: self.try_start(client, start), "the standby to be waited for")
        pair.fail_over()
        found = wait_until(lambda: self.try_start(client, start), "the new primary")
        self.assertEqual(found, instance)

    @staticmethod
    def try_start(client, start):
        """The id, or None while that is not possible."""
        try:
            reply = client.post(*start)
        except Lost:
            return None
        return reply.json()["id"] if reply.status == 201 else None


class FullDiskTest(FaultTestCase):
    def run_on(self, disk, parent=None):
        self.addCleanup(disk.remove)
        database = self.new_postgres(parent=parent, environment=disk.environment)
        load = self.new_load(Store(database.url()))
        self.strike_under(load, faults.DiskFilled(disk, database, load), SLOW_STRIKES)

    def test_a_small_disk_runs_full(self):
        disk = SmallDisk(DISK_MEGABYTES)
        self.run_on(disk, disk.folder)

    def test_a_pretended_disk_runs_full(self):
        self.run_on(PretendedDisk(PRELOAD))


if __name__ == "__main__":
    ServerTestCase.program = os.path.abspath(sys.argv.pop(1))
    PRELOAD = os.path.abspath(sys.argv.pop(1))
    unittest.main()
