"""What can go wrong with replicas and their database.

A fault strikes once per call of `strike`, and is over when that returns. It fails when it did not
really happen, or when what should have gone on meanwhile did not. Call it on the main thread: what
it starts again ends with the thread that started it.
"""

import os
import signal
import time

from client import PATIENCE_SECONDS
from cutting_proxy import Cut
from load import LEASE_SECONDS
from postgres import session
from server import wait_until

ANSWERS_MEANWHILE = 10  # What still works goes on while a fault lasts.
LINGER_SECONDS = 3
COUNT_STEPS = "SELECT count(*) FROM step_execution"
FREEZE_SECONDS = LEASE_SECONDS + 5


class ReplicaKilled:
    """kill -9 of one replica; the others go on."""

    def __init__(self, cluster, load):
        self._cluster = cluster
        self._load = load

    def strike(self, dice):
        server = dice.choice(self._cluster.servers)
        server.kill()
        self._load.await_answers(ANSWERS_MEANWHILE)
        self._cluster.start_again(server)


class ReplicaRestarted:
    """SIGTERM of one replica, and a start: as upgrades do it."""

    def __init__(self, cluster):
        self._cluster = cluster

    def strike(self, dice):
        server = dice.choice(self._cluster.servers)
        code = server.stop()
        assert code == 0, code
        self._cluster.start_again(server)


class ReplicaFrozen:
    """SIGSTOP of one replica for longer than leases last, then SIGCONT: it goes on with what it had
    begun, and others have done that work meanwhile."""

    def __init__(self, cluster, load, seconds=FREEZE_SECONDS):
        self._cluster = cluster
        self._load = load
        self._seconds = seconds

    def strike(self, dice):
        server = dice.choice(self._cluster.servers)
        thaws_at = time.monotonic() + self._seconds
        server.send_signal(signal.SIGSTOP)
        try:
            self._load.await_answers(ANSWERS_MEANWHILE)
            self._load.count_answers(thaws_at - time.monotonic())
        finally:
            server.send_signal(signal.SIGCONT)


class BackendKilled:
    """kill -9 of a process that serves a replica: the database ends all the others, and recovers as
    after a crash."""

    def __init__(self, database):
        self._database = database

    def strike(self, dice):
        count = self._recoveries()
        wait_until(lambda: self._kill_one(dice), "a backend to kill")
        wait_until(lambda: self._recoveries() > count, "the database to notice")
        self._database.wait_until_ready()

    def _kill_one(self, dice):
        pids = self._database.backends()
        if not pids:
            return False
        try:
            os.kill(dice.choice(pids), signal.SIGKILL)
        except ProcessLookupError:
            return False  # It has just ended by itself.
        return True

    def _recoveries(self):
        return self._database.log().count("reinitializing")


class BackendsTerminated:
    """pg_terminate_backend of some or all connections of the replicas."""

    def __init__(self, database):
        self._database = database

    def strike(self, dice):
        pids = wait_until(self._database.backends, "backends")
        chosen = dice.sample(pids, dice.randint(1, len(pids)))
        array = ",".join(map(str, chosen))
        ended = self._database.query(
            f"SELECT pid FROM unnest(ARRAY[{array}]) AS pid WHERE pg_terminate_backend(pid)")
        assert ended, chosen


class DatabaseRestarted:
    """pg_ctl restart -m immediate."""

    def __init__(self, database):
        self._database = database

    def strike(self, _dice):
        before = self._started_at()
        self._database.restart_immediately()
        assert self._started_at() != before

    def _started_at(self):
        return self._database.query("SELECT pg_postmaster_start_time()")


class CommitCut:
    """A connection ends exactly at a COMMIT."""

    def __init__(self, proxy):
        self._proxy = proxy

    def strike(self, dice):
        cut = dice.choice(list(Cut))
        is_done = self._proxy.cut_next(cut, PATIENCE_SECONDS)
        assert is_done, f"No COMMIT came to be cut: {cut}."


class SnapshotHeld:
    """Somebody else's transaction holds a snapshot: vacuum may remove nothing."""

    def __init__(self, database_url, load, answers=100):
        self._url = database_url
        self._load = load
        self._answers = answers

    def strike(self, _dice):
        with session(self._url) as ask:
            ask("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1")
            first = ask(COUNT_STEPS)
            self._load.await_answers(self._answers)
            again = ask(COUNT_STEPS)
        assert first == again != "", f"The snapshot was not held: {first}, {again}."


class DiskFilled:
    """The database finds no room, some callers are told so, and then there is room again. A database
    that gave up meanwhile is started again, as its operator would."""

    def __init__(self, disk, database, load):
        self._disk = disk
        self._database = database
        self._load = load

    def strike(self, _dice):
        seen = len(self._database.log())
        self._disk.fill()
        try:
            wait_until(lambda: "No space left on device" in self._database.log()[seen:],
                       "the disk to run full")
            self._linger()
        finally:
            self._disk.free()
        wait_until(self._revive, "the database to go on")

    def _linger(self):
        """Long enough for tries to end, so that some are answered."""
        self._load.count_answers(LINGER_SECONDS)

    def _revive(self):
        if not self._database.is_running():
            self._database.launch()
        return self._database.is_ready()


class PrimaryLost:
    """The machine of the primary is gone; its standby is promoted and gets a standby of its own."""

    def __init__(self, pair):
        self._pair = pair

    def strike(self, _dice):
        wait_until(self._pair.primary.has_synchronous_standby, "the standby to keep up")
        self._pair.fail_over()
        self._pair.add_standby()
