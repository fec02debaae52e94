"""Clients that enqueue executions into several workspaces, workers that carry them out, and what must
come of it."""

import random
import threading

from checker import Observed, check
from cluster import Caller
from definitions import one_task
from load import FINISH_SECONDS, LEASE_SECONDS, Load, poll_once, read_back, report_end
from queue_checker import Limits, QueueObserved, check_queue
from server import wait_until

RETRIES = 1000  # Nobody's budget is to run out here.
PARCEL = {**one_task("parcel", retryCount=RETRIES),
          "autoStartNextWorkflow": True, "nextWorkflowId": "receipt"}
RECEIPT = one_task("receipt", retryCount=RETRIES)
KEYS = ("", "ann", "bob")
OPEN_MAX = 12  # Of a workspace: more than it may run, so that there is a line.

# How they are made, and what they are held to.
WORKSPACES = {
    "free": ({"plan": "FREE"}, Limits(1)),
    "pro": ({"plan": "PRO", "weight": 2}, Limits(5)),
    "keyed": ({"plan": "ENTERPRISE", "maxActive": 6, "maxPerKey": 2}, Limits(6, 2)),
    "small": ({"plan": "PRO", "maxActive": 2}, Limits(2)),
}


class QueueLoad(Load):
    """One client and one worker for each workspace, and what they were told. Each execution is a chain
    of two instances with a job each."""

    def __init__(self, cluster, seed):
        super().__init__(cluster, seed)
        self.accepted = []  # (idempotency key, execution id) of each answer.
        self.completions_in = {each: [] for each in WORKSPACES}
        self._rooms = {each: threading.Semaphore(OPEN_MAX) for each in WORKSPACES}

    def start(self):
        caller = self.caller("set up")
        for workspace, (settings, _) in WORKSPACES.items():
            made = caller.post("/v1/workspaces", {"id": workspace, **settings})
            assert made.status in (201, 409), made
            for each in (RECEIPT, PARCEL):
                made = caller.post(f"/v1/workspaces/{workspace}/definitions", each)
                assert made.status in (200, 201), made
        self._clients = [self._run(self._enqueue_in, each) for each in WORKSPACES]
        self._workers = [self._run(self._work_in, each) for each in WORKSPACES]

    def finish(self):
        """Enqueues nothing more, and returns when all executions are over."""
        self._is_starting = False
        for room in self._rooms.values():
            room.release()
        self._join(self._clients)
        caller = self.caller("watch")
        wait_until(lambda: self.problems or self._is_all_over(caller), "all executions to end",
                   FINISH_SECONDS)
        self._is_working = False
        self._join(self._workers)
        assert not self.problems, self.problems

    @staticmethod
    def _is_all_over(caller):
        return not any(sum(queue_of(caller, each)["places"].values()) for each in WORKSPACES)

    def _enqueue_in(self, name):
        workspace = name.split()[-1]
        caller = self.caller(name)
        dice = random.Random(f"{self.seed} {name} dice")
        count = 0
        while self._is_starting:
            self._rooms[workspace].acquire()
            count += 1
            key = f"{workspace} {count}"
            body = {"definitionId": "parcel", "input": {"key": key}, "priority": dice.randint(0, 9)}
            if chosen := dice.choice(KEYS):
                body["concurrencyKey"] = chosen
            reply = caller.post(f"/v1/workspaces/{workspace}/executions", body,
                                {"Idempotency-Key": key})
            assert reply.status == 202, reply
            self.accepted.append((key, reply.json()["id"]))
            self.answers.release()

    def _work_in(self, name):
        workspace = name.split()[-1]
        dice = random.Random(f"{self.seed} {name} dice")
        caller = Caller(self.cluster, f"{self.seed} {name}", workspace)
        body = {"workerId": name, "jobTypes": ["parcel", "receipt"], "waitSeconds": 1,
                "leaseSeconds": LEASE_SECONDS, "maxJobs": 8}
        while self._is_working:
            for job in poll_once(caller, body):
                self.deliveries.append((job["id"], job["leaseToken"]))
                self._handle_in(workspace, caller, job, dice.random())

    def _handle_in(self, workspace, caller, job, luck):
        if not report_end(caller, job, luck, {job["jobType"]: "done"}):
            return
        self.completions_in[workspace].append((job["id"], job["leaseToken"]))
        self.answers.release()
        if job["jobType"] == "receipt":
            self._rooms[workspace].release()


def queue_of(caller, workspace):
    return caller.get(f"/v1/workspaces/{workspace}/queue").json()


def read_executions(caller, workspace):
    """All that there are, with their inputs and results, by their ids."""
    executions = {}
    cursor = ""
    while cursor is not None:
        path = f"/v1/workspaces/{workspace}/executions?pageSize=500{cursor}"
        page = caller.get(path).json()
        for each in page["items"]:
            executions[each["id"]] = caller.get(f"/v1/executions/{each['id']}").json()
        cursor = f"&cursor={page['nextCursor']}" if "nextCursor" in page else None
    return executions


def judge_queue(load, read_moves, fairness):
    """Compares the record, what the servers tell, and what the load was told. `read_moves` is called
    when all questions to servers are answered. Returns the violations."""
    caller = load.caller("judge")
    executions, violations, runs = {}, [], {}
    for workspace in WORKSPACES:
        inside = Caller(load.cluster, f"{load.seed} judge", workspace)
        instances, histories = read_back(inside)
        found = read_executions(caller, workspace)
        executions |= found
        violations += check(Observed(
            definitions={(each["id"], 1): each for each in (PARCEL, RECEIPT)},
            instances=instances, histories=histories,
            completions=tuple(load.completions_in[workspace]),
            deliveries=tuple(load.deliveries)))
        violations += _check_instances(found, instances)
        runs |= {each: sum(one.get("parentId") == each for one in instances.values())
                 for each in found}
    active = {workspace: queue_of(caller, workspace)["active"] for workspace in WORKSPACES}
    moves = read_moves()
    completed = sum(map(len, load.completions_in.values()))
    print(f"{len(load.accepted)} enqueues and {completed} completions acknowledged, "
          f"{len(executions)} executions, {len(moves)} moves.", flush=True)
    results = {each["id"]: {**each["input"], "parcel": "done", "receipt": "done"}
               for each in executions.values()}
    return violations + check_queue(QueueObserved(
        moves=moves, limits={each: limits for each, (_, limits) in WORKSPACES.items()},
        executions=executions, accepted=tuple(load.accepted), runs=runs, results=results,
        active=active, fairness=fairness))


def _check_instances(executions, instances):
    """Every first instance of a chain is that of an execution, and has its id."""
    first = {each["id"] for each in instances.values() if "parentId" not in each}
    return [("no instance", each) for each in executions.keys() - first] + [
        ("no execution", each) for each in first - executions.keys()]
