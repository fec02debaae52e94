"""Judges what a queue did by a record of every move that an execution has made in it, and by what the
server tells of executions afterwards.

`check_queue` lists violations of what the queue promises; an empty list is the good news. The record
is in the order in which moves were written. Whoever lets an execution in has seen the end of those
before it committed, and a move is noted before its commit: so two that have a slot at the same place
of the record really had it at the same time, and two that had it at the same time are there so.
"""

import collections
from typing import NamedTuple

from causes import instant

# Kinds of violations.
LOST = "lost"  # Acknowledged, and gone.
UNFINISHED = "unfinished"  # It waits, runs, or ended as it should not.
ENQUEUED_TWICE = "enqueued twice"  # One idempotency key, several executions.
WRONG_ANSWER = "wrong answer"  # An enqueue was answered with an execution of another one.
OVER_LIMIT = "over the limit"
OVER_KEY_LIMIT = "over the limit of a key"
SLOT_LEFT = "slot left"  # Taken, and nobody runs.
SLOT_TWICE = "slot twice"  # It ended, or never left, and is let in again.
STARTED_TWICE = "started twice"
STARVED = "starved"
TIMES_WRONG = "times wrong"
WRONG_RESULT = "wrong result"

ACTIVE = "ACTIVE"
READY = "READY"


class Violation(NamedTuple):
    kind: str
    subject: str  # An execution, or a workspace.
    detail: str


class Move(NamedTuple):
    at: float  # In seconds.
    execution_id: str
    workspace_id: str
    concurrency_key: str  # Empty for none.
    place: str  # READY, PARKED, DUE, ACTIVE; empty when it is over.


class Limits(NamedTuple):
    active: int
    per_key: int = 1


class Fairness(NamedTuple):
    """What a lost wake-up, or the locks of a frozen server, may cost a workspace that could have a
    slot: `seconds` of time in which others are let in. Then the round that lets it in may have taken
    the others first, and they may have filled all their slots in it; that is all. In one workspace
    none that stands behind is let in before one that has been ready for so long."""

    seconds: float


# A pause in which nobody is let in tells of a database that is away, not of unfairness.
PAUSE_SECONDS_MAX = 1.0
PRIORITY_MAX = 9
PRIORITY_STEP_SECONDS = 60.0


class QueueObserved(NamedTuple):
    """What a run saw. Empty fields check nothing."""

    moves: tuple  # In the order of the record.
    limits: dict  # workspace -> Limits
    executions: dict  # id -> execution, with its input
    # (idempotency key, execution id) of every enqueue that was answered. The key is the input's `key`.
    accepted: tuple = ()
    runs: dict = {}  # execution id -> how many runs its executor has of it
    results: dict = {}  # execution id -> what its result must have
    active: dict = {}  # workspace -> what the server says of its slots
    outcomes: frozenset = frozenset({"COMPLETED"})
    slots_each_max: int = 1  # How often one may be let in: 1 where nothing defers a start.
    fairness: Fairness | None = None
    clock_seconds: float = 1.0  # By which the clocks of servers may differ.


def check_queue(observed):
    """All violations."""
    return [*_check_accepted(observed), *_check_ends(observed), *_check_slots(observed),
            *_check_fairness(observed), *_check_runs(observed), *_check_times(observed)]


def _check_accepted(observed):
    ids_of = collections.defaultdict(set)
    for key, execution_id in observed.accepted:
        ids_of[key].add(execution_id)
        execution = observed.executions.get(execution_id)
        if execution is None:
            yield Violation(LOST, execution_id, "It was acknowledged, but does not exist.")
        elif execution["input"].get("key") != key:
            yield Violation(WRONG_ANSWER, execution_id,
                            f"It answered {key}, but is {execution['input'].get('key')}.")
    for execution in observed.executions.values():
        if "key" in execution.get("input", {}):
            ids_of[execution["input"]["key"]].add(execution["id"])
    for key, ids in ids_of.items():
        if len(ids) > 1:
            yield Violation(ENQUEUED_TWICE, min(ids), f"{key} is {sorted(ids)}.")


def _check_ends(observed):
    for execution in observed.executions.values():
        if execution["queueStatus"] not in observed.outcomes:
            yield Violation(UNFINISHED, execution["id"],
                            f"It is {execution['queueStatus']}: {execution.get('error')}")
        wanted = observed.results.get(execution["id"])
        if wanted is not None and execution.get("result") != wanted:
            yield Violation(WRONG_RESULT, execution["id"],
                            f"{execution.get('result')} is not {wanted}.")
    for workspace_id, count in observed.active.items():
        if count:
            yield Violation(SLOT_LEFT, workspace_id, f"It has {count} slots in use.")


def _check_slots(observed):
    place_of = {}
    entered = collections.Counter()
    active = collections.defaultdict(set)  # By workspace, and by workspace and key.
    for move in observed.moves:
        before = place_of.get(move.execution_id, None)
        place_of[move.execution_id] = move.place
        workspace, key = move.workspace_id, (move.workspace_id, move.concurrency_key)
        if move.place != ACTIVE:
            active[workspace].discard(move.execution_id)
            active[key].discard(move.execution_id)
            continue
        if before == ACTIVE:
            continue
        entered[move.execution_id] += 1
        if before == "" or entered[move.execution_id] > observed.slots_each_max:
            yield Violation(SLOT_TWICE, move.execution_id,
                            f"It was let in {entered[move.execution_id]} times.")
        limits = observed.limits[workspace]
        active[workspace].add(move.execution_id)
        if len(active[workspace]) > limits.active:
            yield Violation(OVER_LIMIT, workspace,
                            f"{len(active[workspace])} of {limits.active} at {move}.")
        if move.concurrency_key:
            active[key].add(move.execution_id)
            if len(active[key]) > limits.per_key:
                yield Violation(OVER_KEY_LIMIT, workspace,
                                f"{len(active[key])} of {limits.per_key} at {move}.")
    for execution_id, place in place_of.items():
        if place:
            yield Violation(SLOT_LEFT, execution_id, f"It is still {place}.")
    for execution in observed.executions.values():
        if observed.moves and execution["id"] not in place_of:
            yield Violation(LOST, execution["id"], "It never stood in line.")


class _Line:
    """A workspace that others may overtake."""

    def __init__(self):
        self.ready = {}  # Since when. Without those of keys, which may be full.
        self.active = set()
        self.waits_from = None  # It could have had a slot since then and got none.
        self.waited = 0.0  # Since then, while others were let in.
        self.overtaken = 0  # When it had waited too long.


def _check_fairness(observed):
    if observed.fairness is None:
        return
    lines = collections.defaultdict(_Line)
    for move in observed.moves:
        line = lines[move.workspace_id]
        is_claim = move.place == ACTIVE and move.execution_id not in line.active
        if is_claim:
            yield from _check_order(observed, line, move)
        (line.active.add if move.place == ACTIVE else line.active.discard)(move.execution_id)
        if move.place == READY and not move.concurrency_key:
            line.ready.setdefault(move.execution_id, move.at)
        else:
            line.ready.pop(move.execution_id, None)
        is_free = line.ready and len(line.active) < observed.limits[move.workspace_id].active
        if is_claim or not is_free:
            line.waits_from, line.waited, line.overtaken = move.at if is_free else None, 0.0, 0
        elif line.waits_from is None:
            line.waits_from = move.at
        if is_claim:
            yield from _overtake(observed, lines, move)


def _overtake(observed, lines, move):
    for workspace_id, line in lines.items():
        if workspace_id == move.workspace_id or line.waits_from is None:
            continue
        passed = move.at - line.waits_from
        line.waits_from = move.at
        line.waited += passed if passed <= PAUSE_SECONDS_MAX else 0.0
        if line.waited <= observed.fairness.seconds:
            continue
        line.overtaken += 1
        slots_of_others = sum(limits.active for other, limits in observed.limits.items()
                              if other != workspace_id)
        if line.overtaken == slots_of_others + 1:
            yield Violation(STARVED, workspace_id,
                            f"It waited for {line.waited} s, and others were let in {line.overtaken} "
                            f"times until {move.at}.")


def _check_order(observed, line, move):
    rank = _rank(observed, move.execution_id)
    for execution_id, since in line.ready.items():
        if execution_id == move.execution_id or move.at - since <= observed.fairness.seconds:
            continue
        if _rank(observed, execution_id) < rank:
            yield Violation(STARVED, execution_id,
                            f"Ready since {since}, but {move.execution_id}, which stands behind it, "
                            f"was let in at {move.at}.")


def _rank(observed, execution_id):
    """The place in its line, lowest first: a step of priority is worth a minute of waiting."""
    execution = observed.executions[execution_id]
    steps = PRIORITY_MAX - execution.get("priority", 0)
    return instant(execution["createdAt"]).timestamp() + steps * PRIORITY_STEP_SECONDS


def _check_runs(observed):
    for execution_id, count in observed.runs.items():
        if count != 1:
            yield Violation(STARTED_TWICE, execution_id, f"It has {count} runs.")


def _check_times(observed):
    for execution in observed.executions.values():
        names = [name for name in ("createdAt", "claimedAt", "dispatchedAt", "completedAt")
                 if name in execution]
        if execution["queueStatus"] == "COMPLETED" and len(names) < 4:
            yield Violation(TIMES_WRONG, execution["id"], f"It has only {names}.")
        times = [instant(execution[name]).timestamp() for name in names]
        for earlier, later in zip(times, times[1:]):
            if later < earlier - observed.clock_seconds:
                yield Violation(TIMES_WRONG, execution["id"], f"{names} are {times}.")
