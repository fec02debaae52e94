"""Clients that start shipments and workers that carry them out, and what must come of it."""

import os
import pathlib
import random
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checker"))

import shipment
from checker import Observed, check
from client import PATIENCE_SECONDS, Lost
from cluster import BUSY, PAUSE_SECONDS, Caller
from server import wait_until

CLIENTS = 2
WORKERS = 4
INSTANCES_OPEN_MAX = 40  # More only makes a loaded machine slower, not the test harder.
FAIL_SHARE = 0.1
DIE_SHARE = 0.02
LEASE_SECONDS = 5
FINISH_SECONDS = 240
OPEN = ("ACTIVE", "WAITING")
ENDED = ("COMPLETED", "FAILED", "CANCELLED")


def seed_of_run():
    """Prints it, so that MILLRACE_SEED can repeat the dice."""
    seed = os.environ.get("MILLRACE_SEED") or str(random.SystemRandom().randrange(10**9))
    print(f"MILLRACE_SEED={seed}", flush=True)
    return seed


class Load:
    """Clients and workers as threads, and what they were told."""

    def __init__(self, cluster, seed, workspace=None, clients=CLIENTS, workers=WORKERS):
        self.cluster = cluster
        self.seed = seed
        self.workspace = workspace
        self.starts = []  # (idempotency key, instance id) of each answer.
        self.completions = []  # (job id, lease token) of each answer.
        self.deliveries = []
        self.answers = threading.Semaphore(0)  # One for each acknowledgement.
        self.problems = []
        self._is_starting = True
        self._is_working = True
        self._room = threading.Semaphore(INSTANCES_OPEN_MAX)
        self._client_count = clients
        self._worker_count = workers
        self._clients = []
        self._workers = []

    def caller(self, name):
        return Caller(self.cluster, f"{self.seed} {name}", self.workspace)

    def start(self):
        caller = self.caller("upload")
        for each in (shipment.SHIPMENT, shipment.INVOICE):
            assert caller.post("/v1/definitions", each).status in (200, 201)
        self._clients = [
            self._run(self._start_instances, each) for each in range(self._client_count)]
        self._workers = [self._run(self._work, each) for each in range(self._worker_count)]

    def await_answers(self, count, patience=PATIENCE_SECONDS):
        """Returns when so many calls more were acknowledged; fails when they are not."""
        self.forget_answers()
        for done in range(count):
            is_alive = self.answers.acquire(timeout=patience)
            assert not self.problems, self.problems
            assert is_alive, f"{done} of {count} answers came, and then none for {patience} s."

    def count_answers(self, seconds):
        """How many came in that time; none when it is over already."""
        self.forget_answers()
        count = 0
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            count += self.answers.acquire(timeout=left)
        return count

    def forget_answers(self):
        while self.answers.acquire(blocking=False):
            pass

    def finish(self):
        """Starts nothing more, and returns when all instances have ended."""
        self._is_starting = False
        self._room.release(self._client_count)
        self._join(self._clients)
        caller = self.caller("watch")
        wait_until(lambda: self.problems or have_all_ended(caller), "all instances to end",
                   FINISH_SECONDS)
        self._is_working = False
        self._join(self._workers)
        assert not self.problems, self.problems

    @staticmethod
    def _join(threads):
        for thread in threads:
            thread.join(3 * PATIENCE_SECONDS)
        assert not any(thread.is_alive() for thread in threads), "A thread does not end."

    def _run(self, target, number):
        def guarded():
            try:
                target(f"{target.__name__} {number}")
            except Exception as error:  # pylint: disable=broad-except
                self.problems.append(repr(error))
                raise
        thread = threading.Thread(target=guarded, daemon=True)
        thread.start()
        return thread

    def _start_instances(self, name):
        caller = self.caller(name)
        count = 0
        while self._is_starting:
            self._room.acquire()
            count += 1
            key = f"{name} {count}"
            body = {"definitionId": "shipment", "businessKey": key,
                    "variables": shipment.start_variables(key)}
            reply = caller.post("/v1/instances", body, {"Idempotency-Key": key})
            assert reply.status == 201, reply
            self.starts.append((key, reply.json()["id"]))
            self.answers.release()

    def _work(self, name):
        dice = random.Random(f"{self.seed} {name} dice")
        caller = self.caller(name)
        poll = {"workerId": name, "jobTypes": shipment.JOB_TYPES, "waitSeconds": 1,
                "leaseSeconds": LEASE_SECONDS}
        while self._is_working:
            for job in poll_once(caller, {**poll, "maxJobs": dice.randint(1, 8)}):
                self.deliveries.append((job["id"], job["leaseToken"]))
                self._handle(caller, job, dice.random())

    def _handle(self, caller, job, luck):
        if not report_end(caller, job, luck, shipment.mark(job)):
            return
        self.completions.append((job["id"], job["leaseToken"]))
        self.answers.release()
        if job["stepId"] == "bill":
            self._room.release()


def poll_once(caller, body):
    """The jobs of one poll; none, after a pause, when no server could answer."""
    try:
        reply = caller.try_once("POST", "/v1/jobs/poll", body)
    except Lost:
        time.sleep(PAUSE_SECONDS)
        return []
    if reply.status == BUSY:
        time.sleep(PAUSE_SECONDS)
        return []
    assert reply.status == 200, reply
    return reply.json()["jobs"]


def report_end(caller, job, luck, variables):
    """Does what luck says with a job. Returns whether its completion was acknowledged."""
    if luck < DIE_SHARE:
        return False  # As if this worker had died: the lease has to run out.
    body = {"workerId": job["workerId"], "leaseToken": job["leaseToken"]}
    path = f"/v1/jobs/{job['id']}"
    if luck < DIE_SHARE + FAIL_SHARE:
        failure = {**body, "errorMessage": "a bad day", "retryable": True}
        reply = caller.post(path + "/fail", failure)
        assert reply.status in (204, 409), (path, body, reply)
        return False
    reply = caller.post(path + "/complete", {**body, "variables": variables})
    assert reply.status in (204, 409), (path, body, reply)
    return reply.status == 204  # Else the lease was lost, and somebody else does it.


def have_all_ended(caller):
    """An instance that is waiting when the active ones are counted may be active when the waiting
    ones are. What has ended stays so: counted first, nothing can hide from it."""
    if any(caller.get(f"/v1/instances?status={each}&pageSize=1").json()["total"] for each in OPEN):
        return False
    ended = sum(len(read_instances(caller, f"&status={each}")) for each in ENDED)
    return ended == len(read_instances(caller))


def read_instances(caller, filters=""):
    """All that there are, by their ids."""
    instances = {}
    cursor = ""
    while cursor is not None:
        page = caller.get(f"/v1/instances?pageSize=500{filters}{cursor}").json()
        instances.update((each["id"], each) for each in page["items"])
        cursor = f"&cursor={page['nextCursor']}" if "nextCursor" in page else None
    return instances


def read_back(caller):
    """All instances and their histories, as Observed has them."""
    instances = read_instances(caller)
    histories = {
        each: caller.get(f"/v1/instances/{each}/history").json()["items"] for each in instances}
    return instances, histories


def judge(load):
    """Compares what the servers tell with what the load was told. Returns the violations."""
    instances, histories = read_back(load.caller("judge"))
    variables = {
        each["id"]: shipment.expected_variables(each, histories) for each in instances.values()}
    print(f"{len(load.starts)} starts and {len(load.completions)} completions acknowledged, "
          f"{len(load.deliveries)} deliveries, {len(instances)} instances.", flush=True)
    return check(Observed(
        definitions={(each["id"], 1): each for each in (shipment.SHIPMENT, shipment.INVOICE)},
        instances=instances, histories=histories, starts=tuple(load.starts),
        completions=tuple(load.completions), deliveries=tuple(load.deliveries),
        variables=variables))
